import type { AnyKassaError } from '../../../errors/index.js'

// The fields that a buyer types into a form. The rest of a change is selected, not typed.
const written = /(?<![\w.])(?:recipient|payment\.receiptEmail)[\w.]*(?=:)/g

/**
 * Returns the fields that a refused change is about, by their paths, such as
 * `recipient.physicalAddress.postalCode`. Their form shows the error; `Checkout.Error` shows the rest.
 */
export const getRefusedFields = ({ code, message }: AnyKassaError): readonly string[] =>
  code === 'api.bad-request' ? (message.match(written) ?? []) : []
