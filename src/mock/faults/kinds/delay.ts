import { longestDelay, type FaultKind, type Hit } from '../fault-kind.ts';
import type { Bounds, JsonFields } from '../json-fields.ts';

/** The answer comes late. The operation has run when the wait begins. */
export type DelayFault =
  | { readonly kind: 'delay'; readonly milliseconds: number }
  /** Every delay between the two, both included, is as likely as another. */
  | { readonly kind: 'delay'; readonly uniform: Bounds }
  /**
   * As latencies are: half of them below the median, a few far above. Sigma 0.5 is a steady
   * service, 1 a struggling one.
   */
  | {
      readonly kind: 'delay';
      readonly logNormal: { readonly median: number; readonly sigma: number };
      /** No delay is longer. Left out: 60,000. */
      readonly maximum?: number;
    };

const bounds: Bounds = [0, longestDelay];
const forms = ['milliseconds', 'uniform', 'logNormal'] as const;
const usualMaximum = 60_000;

export const delayFault: FaultKind<DelayFault> = {
  kind: 'delay',
  fields: [...forms, 'maximum'],
  read(fields) {
    const given = forms.filter((form) => fields.has(form));
    const [form] = given;
    if (form === undefined || given.length > 1) {
      fields.refuse(
        `expected one of ${forms.join(', ')}; got ${given.length === 0 ? 'none' : given.join(' and ')}`,
      );
      return { kind: 'delay', milliseconds: 0 };
    }
    if (form !== 'logNormal' && fields.has('maximum')) {
      fields.refuse(`maximum belongs to logNormal; leave it out beside ${form}`, 'maximum');
    }
    return readForm(form, fields);
  },
  hit: (action, hit) => ({ delay: Math.round(toMilliseconds(action, hit)) }),
};

function readForm(form: (typeof forms)[number], fields: JsonFields): DelayFault {
  switch (form) {
    case 'milliseconds':
      return { kind: 'delay', milliseconds: fields.requiredInteger(form, bounds) };
    case 'uniform':
      return { kind: 'delay', uniform: fields.requiredRange(form, bounds) };
    case 'logNormal': {
      const shape = fields.requiredObject(form, '{"median": 300, "sigma": 0.5}');
      shape?.refuseOthers('logNormal', ['median', 'sigma']);
      const median = shape?.requiredInteger('median', [1, longestDelay]) ?? 1;
      const sigma = shape?.requiredNumber('sigma', [0, 5]) ?? 0;
      const maximum = fields.integer('maximum', bounds);
      return {
        kind: 'delay',
        logNormal: { median, sigma },
        ...(maximum === undefined ? {} : { maximum }),
      };
    }
  }
}

function toMilliseconds(action: DelayFault, { random }: Hit): number {
  if ('milliseconds' in action) return action.milliseconds;
  if ('uniform' in action) {
    const [from, to] = action.uniform;
    return from + Math.floor(random() * (to - from + 1));
  }
  const { median, sigma } = action.logNormal;
  // Box and Muller: two even numbers make a normal one. The logarithm of 0 is left out.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.min(median * Math.exp(sigma * normal), action.maximum ?? usualMaximum);
}
