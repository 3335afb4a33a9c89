export {
  createMock,
  type Fault,
  type Interference,
  type Mock,
  type MockOptions,
} from './mock/mock.ts';
export { toFetch } from './mock/fetch.ts';
export { MemoryStore } from './stores/memory.ts';
export type { Damage, Delivery, FaultHit, MockRequest, MockResponse } from './mock/exchange.ts';
export { defaultPolicy, type Policy, type PolicyChanges } from './mock/policy.ts';
export type { InventoryItem } from './inventory/item.ts';
export type { MaybePromise, StockChange, Store, UpdatedItem } from './inventory/store.ts';
export {
  createInventoryMock,
  type InventoryMock,
  type InventoryMockOptions,
  type InventorySnapshot,
  type StoredInventoryMock,
} from './mock/inventory-mock.ts';
export {
  createFaultPlan,
  type FaultPlan,
  type FaultPlanOptions,
  type PlannedFault,
} from './mock/faults/fault-plan.ts';
export type { FaultRule, FaultRuleInput } from './mock/faults/fault-rule.ts';
export type { FaultAction } from './mock/faults/kinds.ts';
export type { Scenarios, ScenariosInput } from './mock/faults/scenarios.ts';
export type { ItemInput } from './mock/item-input.ts';
export type { DocumentedStatus, Override } from './mock/override.ts';
export type { PolicyInput } from './mock/policy-input.ts';
export type { Seed } from './mock/seed.ts';
export { createSandboxes, type Sandboxes, type SandboxesOptions } from './mock/sandboxes.ts';
export {
  defaultLimits,
  SandboxError,
  type CreatedSandbox,
  type Sandbox,
  type SandboxChanges,
  type SandboxEvent,
  type SandboxLimits,
  type SandboxOptions,
} from './mock/sandbox.ts';
export type { InventoryDiff } from './mock/diff.ts';
export type { Journal } from './mock/journal.ts';
export type { JournalEntry, JournalPage, JournalQuery } from './mock/journal-entry.ts';
export { MemorySandboxes } from './stores/memory-sandboxes.ts';
export type {
  NewSandbox,
  Readiness,
  SandboxStorage,
  SnapshotEntry,
  StorageEvent,
  StoredSandbox,
} from './inventory/sandbox-storage.ts';
export { StoreUnavailableError } from './inventory/store.ts';
