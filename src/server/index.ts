export {
  startServer,
  type MockServerOptions,
  type RunningServer,
  type SandboxServerOptions,
  type ServerOptions,
} from './http-server.ts';
export type { RunVerification, VerificationOptions } from './admin/verification.ts';
export { ListenError } from './listen.ts';
export type { Exchange } from './exchange.ts';
