import type { Revert } from '../../schema/transaction.js'
import { Refusal } from '../refusal.js'

/**
 * Returns the refusal of calls that revert before anything is signed.
 *
 * @source interface.md "Errors"
 */
export const reverted = ({ message, revert }: { message: string; revert: Revert }) =>
  new Refusal('reverted', `The transaction reverted during execution: ${revert.reason}`, {
    reason: 'execution_reverted',
    message,
    revert,
  })

/** An error of a program of Solana. */
type ProgramError = { reason: string; message?: string | undefined; logs?: unknown }

/** Returns the refusal of a transaction whose programs fail in a simulation. */
export const programFailed = ({ message = 'a program refused it', ...rest }: ProgramError) =>
  new Refusal('reverted', `The transaction failed in its simulation: ${message}`, { ...rest, message })
