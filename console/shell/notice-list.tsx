import { useApp } from '../app-context.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';

/** What became of actions. The regions stay, so that a screen reader notices what comes into them. */
export function NoticeList() {
  const { notices } = useApp();
  const of = (tone: 'done' | 'failed') =>
    notices.shown.value
      .filter((notice) => notice.tone === tone)
      .map(({ id, text }) => (
        <p key={id} class={`notice is-${tone}`}>
          <Icon name={tone === 'done' ? 'check' : 'close'} />
          <span>{text}</span>
          <Button icon="close" kind="quiet" label="Dismiss" onClick={() => notices.dismiss(id)} />
        </p>
      ));
  return (
    <div class="notices">
      <div role="alert">{of('failed')}</div>
      <div role="status">{of('done')}</div>
      <div role="status" class="hidden">
        {notices.shown.value
          .filter(({ tone }) => tone === 'said')
          .map(({ id, text }) => (
            <p key={id}>{text}</p>
          ))}
      </div>
    </div>
  );
}
