import type { UpdatedItem } from './store.ts';

/** What became of a request. The edge turns it into HTTP. */
export type Outcome =
  | { readonly kind: 'listed'; readonly list: readonly Uint8Array[] }
  | { readonly kind: 'updated'; readonly item: UpdatedItem }
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'unauthorized'; readonly message: string }
  | { readonly kind: 'notFound'; readonly message: string }
  | { readonly kind: 'methodNotAllowed'; readonly allow: string; readonly message: string }
  | { readonly kind: 'contentTooLarge'; readonly message: string }
  | { readonly kind: 'unsupportedMediaType'; readonly message: string }
  /** `retryAfter` in seconds. */
  | {
      readonly kind: 'unavailable';
      readonly status: 429 | 503;
      readonly retryAfter?: number;
      readonly message: string;
    };
