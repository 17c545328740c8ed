import * as z from 'zod/mini'
import { within } from '../api/within.js'
import { serverError } from '../errors/serverError.js'
import { EditOrderBody } from '../schema/editOrder.js'
import { findFault } from './readJsonBody.js'

/** What came with an edit. */
export type EditRequest = {
  orderId: string
  /** The browser's request, for its cookies and headers; its body has been read. */
  request: Request
}

/** A shop's own function: it says what of an edit is let through. */
export type CheckEdit = (edit: EditOrderBody, request: EditRequest) => EditOrderBody | Promise<EditOrderBody>

const invalid = (reason: string) => serverError('cart.draft-invalid', { name: 'editOrder', reason })

/**
 * Has the shop's function look at an edit, and checks what it gives.
 *
 * @throws {@link KassaError} `cart.draft-invalid`; whatever the function throws.
 */
export const readEdit = async (
  checkEdit: CheckEdit,
  said: EditOrderBody,
  request: EditRequest,
  timeoutMs: number,
): Promise<EditOrderBody> => {
  const work = Promise.resolve().then(() => checkEdit(said, request))
  const late = () => invalid(`it took longer than ${timeoutMs / 1000} s`)
  const edit: unknown = await within(timeoutMs, work, late)
  const parsed = z.safeParse(EditOrderBody, edit, { reportInput: true })
  if (!parsed.success) throw invalid(findFault(parsed) ?? 'it is none')
  return parsed.data
}
