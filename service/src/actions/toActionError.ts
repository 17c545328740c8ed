import type { ActionError } from 'kassa/schema'
import type { WriteResult } from '../chains/port.js'

/**
 * Says why a chain refused a write, as an action and its event tell it.
 *
 * @source interface.md "Events"
 */
export const toActionError = ({ reason, call }: Extract<WriteResult, { status: 'failed' }>): ActionError => ({
  reason: 'execution_reverted',
  message: `The transaction reverted: ${reason}`,
  revertReason: reason,
  ...(call && { callInfo: call }),
})
