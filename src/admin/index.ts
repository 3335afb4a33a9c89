export {
  createAdminClient,
  type AdminClient,
  type ContractView,
  type FixtureView,
  type SandboxPage,
} from './admin-client.ts';
export { AdminError } from './admin-error.ts';
export type { AdminClientOptions, RequestOptions } from './admin-http.ts';
export type { EventStream } from './event-stream.ts';
export type { ItemChange, SandboxClient, SandboxHandle, StateOptions } from './sandbox-client.ts';
export type {
  VerificationEvent,
  VerificationReport,
  VerificationRequest,
  VerificationResult,
} from './verification.ts';
export type {
  AdminEvent,
  AdminItem,
  BodyView,
  ExchangeVerdict,
  FaultRuleView,
  FaultView,
  InventoryDiff,
  JournalEntry,
  JournalPage,
  PolicyView,
  SandboxChanges,
  SandboxRequest,
  SandboxView,
  SnapshotView,
} from './admin-api.ts';
export type { JournalFilter, WaitOptions } from './wait-for-request.ts';
export type { FaultRuleInput } from '../mock/faults/fault-rule.ts';
export type { ItemInput } from '../mock/item-input.ts';
