import * as z from 'zod/mini'
import { withTimeout } from '../api/withTimeout.js'
import { serverError } from '../errors/serverError.js'
import { EditOrderBody } from '../schema/editOrder.js'
import { findFault } from './readJsonBody.js'

/** The request that came with an edit. */
export type EditRequest = {
  orderId: string
  /** The browser's request, for its cookies and headers. Its body has already been read. */
  request: Request
}

/** A shop's own function. It decides which fields of an edit are allowed. */
export type CheckEdit = (edit: EditOrderBody, request: EditRequest) => EditOrderBody | Promise<EditOrderBody>

const invalid = (reason: string) => serverError('cart.draft-invalid', { name: 'editOrder', reason })

/**
 * Calls the shop's function to check an edit, and validates the result.
 *
 * @throws {@link KassaError} `cart.draft-invalid`; errors that the function throws.
 */
export const readEdit = async (
  checkEdit: CheckEdit,
  said: EditOrderBody,
  { timeoutMs, ...request }: EditRequest & { timeoutMs: number },
): Promise<EditOrderBody> => {
  const work = Promise.resolve().then(() => checkEdit(said, request))
  const late = () => invalid(`it took longer than ${timeoutMs / 1000} s`)
  const edit: unknown = await withTimeout(timeoutMs, work, late)
  const parsed = z.safeParse(EditOrderBody, edit, { reportInput: true })
  if (!parsed.success) throw invalid(findFault(parsed) ?? 'it is not an edit')
  return parsed.data
}
