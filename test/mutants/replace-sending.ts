import type { ServerResponse } from 'node:http';
import { Buffer } from 'node:buffer';
import type { Change, Exchange, Reply } from './steps.ts';

export type Send = (reply: Reply, response: ServerResponse, exchange: Exchange) => void;
export type Meant = (reply: Reply, exchange: Exchange) => boolean;

/** Puts some replies on the wire in another way. */
export const sends =
  (send: Send, isMeant: Meant = () => true): Change =>
  (base) => ({
    send: (reply, exchange, response) => {
      if (isMeant(reply, exchange)) send(reply, response, exchange);
      else base.send(reply, exchange, response);
    },
  });

export const isListed: Meant = ({ status }, { operation }) =>
  status === 200 && operation === 'listInventory';

export const isUpdated: Meant = ({ status }, { operation }) =>
  status === 200 && operation === 'updateInventory';

export const has =
  (...statuses: readonly number[]): Meant =>
  ({ status }) =>
    statuses.includes(status);

export const size = ({ body }: Reply): number => Buffer.byteLength(body);

/** The head of a response, as it is written to the connection itself. */
export const toHead = (status: number, ...fields: readonly string[]): string =>
  [`HTTP/1.1 ${status} Said`, 'Content-Type: application/json', ...fields, '', ''].join('\r\n');
