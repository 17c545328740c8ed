import type { ActionError } from 'kassa/schema'
import type { WriteResult } from '../chains/port.js'

/**
 * Converts a chain's refusal of a write to the error of an action and its event.
 *
 * @source interface.md "Events"
 */
export const toActionError = ({ reason, call }: Extract<WriteResult, { status: 'failed' }>): ActionError => ({
  reason: 'execution_reverted',
  message: `The transaction reverted: ${reason}`,
  revertReason: reason,
  ...(call && { callInfo: call }),
})
