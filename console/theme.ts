import { effect, signal, type Signal } from '@preact/signals';

export const themes = ['system', 'light', 'dark'] as const;

export type Theme = (typeof themes)[number];

const storageKey = 'stockcheck-theme';

/** The theme a person chose, kept for the next visit. `system` follows `prefers-color-scheme`. */
export function createTheme(storage: Storage, root: HTMLElement): Signal<Theme> {
  const kept = storage.getItem(storageKey);
  const theme = signal<Theme>(themes.find((name) => name === kept) ?? 'system');
  effect(() => {
    root.dataset['theme'] = theme.value;
    if (theme.value === 'system') storage.removeItem(storageKey);
    else storage.setItem(storageKey, theme.value);
  });
  return theme;
}
