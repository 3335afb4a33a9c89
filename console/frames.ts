/** Calls back once, before the next picture, however often it was asked to. */
export function oncePerFrame(callback: () => void): () => void {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      callback();
    });
  };
}
