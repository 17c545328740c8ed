import type { AnyKassaError } from '../../errors/index.js'

// What the buyer writes into a form; the rest of a change is chosen, not written.
const written = /(?<![\w.])(?:recipient|payment\.receiptEmail)[\w.]*(?=:)/g

/**
 * The fields that a refused change is about, by their paths, such as `recipient.physicalAddress.postalCode`. The
 * form they stand in shows it; what is about none is shown by `Checkout.Error`.
 */
export const getRefusedFields = ({ code, message }: AnyKassaError): readonly string[] =>
  code === 'api.bad-request' ? (message.match(written) ?? []) : []
