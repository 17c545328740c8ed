import { fromBaseUnits } from '../../schema/baseUnits.js'
import { evmChains, isEvmChainName } from '../../schema/chains.js'
import type { PaymentOptionList } from '../../schema/paymentOption.js'
import { toFiat } from '../../schema/price.js'
import { invalid } from '../invalidInput.js'
import { explainChainAddress } from '../wallet/parseChainAddress.js'
import { getRate } from './convert.js'
import type { OrderState } from './order.js'

/** A currency on a chain, as amounts of it are written. */
type Currency = { currency: string; decimals: number }

/** What a payer lacks for a payment, by currency. @units base units of `currency` */
export type Shortfall = { currency: string; units: bigint }

/**
 * What a payment would take of its payer.
 *
 * @units base units: `fee` of the chain's native currency, `balance` of the currency of the payment
 */
export type PaymentEstimate = {
  /** The most that the network may charge; 0 if others pay it. */
  fee: bigint
  /** What the payer holds and lacks; absent without a payer. The payer can pay if nothing is missing. */
  funds?: { balance: bigint; missing: readonly Shortfall[] }
}

/**
 * Lists what a payer lacks for a payment. A payment in the native currency takes price and fee of the same coins.
 *
 * @param held - The payer's `balance` of the payment's currency, and of the `native` one.
 * @param least - What the payer's account must keep, unless it is emptied.
 * @units base units
 */
export const listMissing = (
  native: string,
  held: { balance: bigint; native: bigint },
  { currency, units, fee, least = 0n }: { currency: string; units: bigint; fee: bigint; least?: bigint },
): Shortfall[] => {
  const isNative = currency === native
  const rest = held.native - fee - (isNative ? units : 0n)
  const lacks = [
    { currency, units: isNative ? 0n : units - held.balance },
    { currency: native, units: rest > 0n && rest < least ? least - rest : -rest },
  ]
  return lacks.filter((lack) => lack.units > 0n)
}

/** Returns what a payment in a token takes of its payer where the shop pays the network fee. */
export const withoutFee = ({ funds }: PaymentEstimate, native: string): PaymentEstimate => ({
  fee: 0n,
  ...(funds && {
    funds: { ...funds, missing: funds.missing.filter(({ currency }) => currency !== native) },
  }),
})

/**
 * Whether an order may move from the chain of its payment to another one. Test networks and main networks never mix.
 * Solana has the same name in both, so it goes with the other chains of its deployment.
 */
const isSameNetworkKind = (own: string, other: string): boolean => {
  if (!isEvmChainName(own) || !isEvmChainName(other)) return true
  return evmChains[own].isTestnet === evmChains[other].isTestnet
}

/** A chain that orders may be paid on. It parses an address to its canonical form. */
type PayableChain = { chain: string; parseAddress(text: string): string | undefined }

/**
 * Lists the enabled chains that an order may be paid on: those of its kind of network, and of those only the ones on
 * which a payer that is named has an address. The order's own payer may still choose another wallet.
 *
 * @param named - The payer that the caller names.
 * @returns Each with the payer in its canonical form, if it is known.
 * @throws {@link InvalidInput} if the named payer has an address on none of them.
 */
export const listPlaces = <Chain extends PayableChain>(
  { payment }: Pick<OrderState, 'payment'>,
  enabled: readonly Chain[],
  named: string | undefined,
): { port: Chain; payer: string | undefined }[] => {
  const { refundAddress } = payment
  const ports = enabled.filter(({ chain }) => isSameNetworkKind(payment.chain, chain))
  const given = named ?? payment.payerAddress
  const places = ports
    .map((port) => ({ port, payer: given === undefined ? undefined : port.parseAddress(given) }))
    .filter(({ payer }) => named === undefined || payer !== undefined)
  if (named !== undefined && !places.length) {
    throw invalid('payerAddress', explainChainAddress(named, ...ports.map(({ chain }) => chain)))
  }
  // The order keeps its address of refunds, which has to be one on the chain that is paid on.
  return places.filter(
    ({ port }) => refundAddress === undefined || port.parseAddress(refundAddress) !== undefined,
  )
}

/** Whether the price of an order stays as it is, because its quote is valid and it is paid in this currency already. */
export const isQuotedIn = (
  { quote, payment }: Pick<OrderState, 'quote' | 'payment'>,
  way: { chain: string; currency: string; payer: string | undefined },
  nowMs: number,
): boolean =>
  quote.status === 'valid' &&
  nowMs < (quote.expiresAtMs ?? 0) &&
  payment.chain === way.chain &&
  payment.currency === way.currency &&
  (payment.payerAddress ?? way.payer) === way.payer

/**
 * Returns what an order costs: its total, or what its goods cost while it is not known who gets them, or where. `undefined`
 * if nothing can be bought.
 *
 * @units base units of the payment's currency
 */
export const knownUnits = ({
  quote,
  lineItems,
}: Pick<OrderState, 'quote' | 'lineItems'>): bigint | undefined => {
  if (quote.status === 'valid') return BigInt(quote.totalUnits ?? 0)
  const goods = lineItems.flatMap((item) => item.quote.goods ?? [])
  return goods.length
    ? goods.reduce(
        (sum, { unitUnits, discountUnits = '0' }) => sum + BigInt(unitUnits) - BigInt(discountUnits),
        0n,
      )
    : undefined
}

/**
 * Returns a way to pay an order as a client sees it.
 *
 * @param native - The chain's native currency, in which its network fee is paid.
 * @param units - The price. @units base units of `currency`
 * @param estimate - What the chain says; `undefined` if it does not answer.
 * @param rates - The value of one whole unit of each currency. @units decimal strings in US dollars
 */
export const viewPaymentOption = ({
  chain,
  currency,
  native,
  units,
  estimate,
  rates,
}: {
  chain: string
  currency: Currency
  native: Currency
  units: bigint
  estimate: PaymentEstimate | undefined
  rates: Readonly<Record<string, string>>
}): PaymentOptionList[number] => {
  const write = (of: Currency, amount: bigint) => ({
    amount: fromBaseUnits(amount, of.decimals),
    currency: of.currency,
  })
  const fiat = (of: Currency, amount: bigint) => {
    const rate = getRate(rates, of.currency)
    return rate === undefined ? {} : { fiat: toFiat(amount, of.decimals, rate) }
  }
  const { fee, funds } = estimate ?? {}
  const missing = (funds?.missing ?? []).map((lack) =>
    write(lack.currency === native.currency ? native : currency, lack.units),
  )
  return {
    // The cast is deliberate: the deployment's own names of chains are those of the interface.
    chain: chain as PaymentOptionList[number]['chain'],
    ...write(currency, units),
    ...fiat(currency, units),
    networkFee: fee === undefined ? null : { ...write(native, fee), ...fiat(native, fee) },
    balance: funds ? fromBaseUnits(funds.balance, currency.decimals) : null,
    sufficient: funds ? missing.length === 0 : null,
    ...(missing.length && { missing }),
  }
}
