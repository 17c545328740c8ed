import { toViemOperation } from 'kassa/engine'
import type { UserOperation } from 'kassa/schema'
import { type PackedUserOperation, toPackedUserOperation } from 'viem/account-abstraction'

/** Packs an operation for the EntryPoint. */
export const packOperation = (operation: UserOperation): PackedUserOperation =>
  toPackedUserOperation(toViemOperation(operation))
