import type { FaultKind } from '../fault-kind.ts';

/** The body is declared as something else. The operation runs. */
export type WrongContentTypeFault = {
  readonly kind: 'wrong-content-type';
  /** Left out: `text/html`. */
  readonly contentType?: string;
};

export const wrongContentTypeFault: FaultKind<WrongContentTypeFault> = {
  kind: 'wrong-content-type',
  fields: ['contentType'],
  read(fields) {
    const contentType = fields.text(
      'contentType',
      'a media type such as "text/plain"',
      /^[!-~](?:[ -~]{0,198}[!-~])?$/,
    );
    return { kind: 'wrong-content-type', ...(contentType === undefined ? {} : { contentType }) };
  },
  hit: ({ contentType = 'text/html' }) => ({
    spoil: (response) => ({
      ...response,
      headers: response.headers.map((text, index) =>
        index % 2 === 1 && response.headers[index - 1] === 'Content-Type' ? contentType : text,
      ),
    }),
  }),
};
