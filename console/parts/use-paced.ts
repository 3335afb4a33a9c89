import { useEffect, useRef } from 'preact/hooks';

/**
 * Does something soon after there are news, once for all that come until then: under load it is
 * done at a steady pace, and never twice at a time.
 *
 * @param pace in milliseconds
 */
export function usePaced(news: unknown, pace: number, work: () => Promise<void>): void {
  const latest = useRef(work);
  latest.current = work;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isStale = useRef(false);
  const start = (): void => {
    timer.current = setTimeout(() => void run(), pace);
  };
  const run = async (): Promise<void> => {
    isStale.current = false;
    await latest.current();
    // The page may have gone on meanwhile.
    if (timer.current === undefined) return;
    timer.current = undefined;
    if (isStale.current) start();
  };
  useEffect(() => {
    if (timer.current === undefined) start();
    else isStale.current = true;
  }, [news]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
}
