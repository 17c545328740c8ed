import type { QuotedPaymentOption } from '../../../schema/index.js'

type Own = Pick<QuotedPaymentOption, 'chain' | 'currency'>

/** Whether two ways to pay are the same currency on the same chain. */
export const isSameOption = (one: Own, other: Own | undefined): boolean =>
  one.chain === other?.chain && one.currency === other.currency.toLowerCase()

/** What a way to pay costs with its network fee. @units US dollars; undefined without a rate */
const costOf = ({ fiat, networkFee }: QuotedPaymentOption): number | undefined =>
  fiat && Number(fiat.amount) + Number(networkFee?.fiat?.amount ?? 0)

const rankOf = ({ sufficient }: QuotedPaymentOption): number => (sufficient === null ? 1 : sufficient ? 0 : 2)

/** Sorts ways to pay: first what the payer can pay, then the cheapest, then the order's own. */
export const sortOptions = (options: readonly QuotedPaymentOption[], own: Own | undefined) =>
  [...options].sort((one, other) => {
    const [cost = Number.NaN, otherCost = Number.NaN] = [costOf(one), costOf(other)]
    const ownFirst = Number(isSameOption(other, own)) - Number(isSameOption(one, own))
    return rankOf(one) - rankOf(other) || cost - otherCost || ownFirst
  })
