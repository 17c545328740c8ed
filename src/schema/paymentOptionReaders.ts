// Made by `npm run fix` out of the schemas it imports; not to be edited.
import type { PaymentMethodList } from './paymentMethod.js'
import type { PaymentOptionList } from './paymentOption.js'
import { list, maybe, number, object, orNull, type Reader, reader, text, truth } from './read.js'

const isPaymentMethodList = /* @__PURE__ */ list(
  object({
    method: text,
    currencies: list(object({ currency: text, decimals: number, contractAddress: maybe(text) })),
  }),
)

/** Reads what the schema PaymentMethodList describes. */
export const readPaymentMethodList: Reader<PaymentMethodList> = /* @__PURE__ */ reader(isPaymentMethodList)

const isPaymentOptionList = /* @__PURE__ */ list(
  object({
    chain: text,
    currency: text,
    amount: text,
    fiat: maybe(object({ amount: text, currency: text })),
    networkFee: orNull(
      object({ amount: text, currency: text, fiat: maybe(object({ amount: text, currency: text })) }),
    ),
    balance: orNull(text),
    sufficient: orNull(truth),
    missing: maybe(list(object({ amount: text, currency: text }))),
  }),
)

/** Reads what the schema PaymentOptionList describes. */
export const readPaymentOptionList: Reader<PaymentOptionList> = /* @__PURE__ */ reader(isPaymentOptionList)
