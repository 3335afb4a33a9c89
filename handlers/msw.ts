export type { CollectionInteger, InventoryRecord } from './collection-record.ts';
export { collectionStore, type CollectionStore } from './collection-store.ts';
export type { InventoryCollection } from './inventory-collection.ts';
export {
  openCollectionStore,
  type CollectionExtension,
  type OpenCollectionOptions,
} from './open-collection-store.ts';
export { inventorySchema, type InventorySchema } from './inventory-schema.ts';
export {
  inventoryHandlers,
  type GivenMockOptions,
  type InventoryHandler,
  type InventoryHandlersOptions,
  type OwnMockOptions,
  type ReachOptions,
} from './inventory-handlers.ts';
export {
  inventoryOf,
  inventoryPerTest,
  type BoundaryServer,
  type HandlerList,
} from './per-test.ts';
export {
  createInventoryMock,
  type InventoryMock,
  type InventoryMockOptions,
  type InventorySnapshot,
  type StoredInventoryMock,
} from '../src/mock/inventory-mock.ts';
export type { DocumentedStatus, Override } from '../src/mock/override.ts';
export type { ItemInput } from '../src/mock/item-input.ts';
export type { Seed } from '../src/mock/seed.ts';
export type { InventoryItem } from '../src/inventory/item.ts';
export type { PetStatus } from '../contracts/pet-status.ts';
export type { PolicyInput } from '../src/mock/policy-input.ts';
export type { Policy, PolicyChanges } from '../src/mock/policy.ts';
