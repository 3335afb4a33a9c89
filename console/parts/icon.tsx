const paths = {
  add: 'M8 3v10M3 8h10',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.5 10.5l3 3',
  close: 'm4 4 8 8m0-8-8 8',
  check: 'm3 8.5 3.2 3L13 4.5',
  copy: 'M5.5 5.5h7v8h-7zM10.5 5.5v-3h-7v8h2',
  trash: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9',
  undo: 'M6 3 3 6l3 3M3 6h6.5a3.5 3.5 0 0 1 0 7H6',
  download: 'M8 2.5v8m-3-3 3 3 3-3M3 13.5h10',
  play: 'M5 3.2v9.6l7.5-4.8z',
  stop: 'M4 4h8v8H4z',
  pause: 'M5.5 3.5v9m5-9v9',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1.5v1m0 11v1m6.5-6.5h-1m-11 0h-1m11.1-4.6-.7.7m-7.8 7.8-.7.7m9.2 0-.7-.7M4.1 4.1l-.7-.7',
  moon: 'M13 9.5A5.6 5.6 0 0 1 6.5 3 5.6 5.6 0 1 0 13 9.5Z',
  screen: 'M2.5 3h11v7.5h-11zM6 13.5h4M8 10.5v3',
  edit: 'M10.5 3 13 5.5 6 12.5l-3 .5.5-3z',
  back: 'M9.5 3.5 5 8l4.5 4.5',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  bolt: 'M9 1.5 3.5 9H8l-1 5.5L12.5 7H8z',
  camera: 'M2.5 4.5h3l1-1.5h3l1 1.5h3v8h-11zM8 10.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  list: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  box: 'M2.5 5 8 2.5 13.5 5v6L8 13.5 2.5 11zM2.5 5 8 7.5 13.5 5M8 7.5v6',
  scale: 'M8 2.5v11M4 13.5h8M3 5h10M3 5l-1.5 4h3zM13 5l-1.5 4h3z',
  grid: 'M2.5 2.5h4v4h-4zM9.5 2.5h4v4h-4zM2.5 9.5h4v4h-4zM9.5 9.5h4v4h-4z',
} as const;

export type IconName = keyof typeof paths;

/** A picture beside a text that says the same: hidden from a screen reader. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
