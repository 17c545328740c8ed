export { CheckoutDevtools, type CheckoutDevtoolsProps } from './CheckoutDevtools.js'
export { createDevtools, type Devtools } from './createDevtools.js'
export type { DevtoolsParameters } from './createOrderBook.js'
export { type ForcedStateName, forcedStates } from './forcedStates.js'
export { canForce, forceOrder } from './forceOrder.js'
export type {
  AttemptRecord,
  CallRecord,
  Change,
  CheckedRecord,
  DevtoolsSnapshot,
  OrderRecord,
  SandboxRecord,
  StepRecord,
  TimelineRecord,
} from './snapshot.js'
export { type UseCheckoutDevtoolsResult, useCheckoutDevtools } from './useCheckoutDevtools.js'
