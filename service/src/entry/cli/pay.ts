import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { clip } from 'kassa/engine'
import { fromBaseUnits, Order, toBaseUnits } from 'kassa/schema'
import * as z from 'zod/mini'
import { chainLabel } from '#base/lib/chainLabel.js'
import { isLoopback } from '#base/lib/isLoopback.js'
import { x402Headers } from '#sale/x402/protocol.js'
import {
  type Answer,
  askSeller,
  bringPayment,
  describeAnswer,
  type Target,
  UnknownOutcome,
} from '../pay/bringPayment.js'
import { type Asked, type Offer, readOffers } from '../pay/readOffers.js'
import { type Payer, type Proposal, proposePayment, readPayer, signPayment } from '../pay/writePayment.js'
import { formatJson } from './formatTable.js'
import type { CliContext, Command, Environment, Group } from './group.js'
import { requireOne } from './readArguments.js'
import { UsageError } from './UsageError.js'

const keyName = 'KASSA_PAYER_KEY'

const readTarget = (url: string, method: string): Target => {
  if (method !== 'GET' && method !== 'POST') throw new UsageError('--method: expected GET or POST')
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isSafe =
    parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLoopback(parsed.hostname))
  if (parsed && isSafe && !parsed.username && !parsed.password) return { url: parsed.href, method }
  throw new UsageError(
    'expected an https URL. http is for this machine alone: what is signed could be taken on the way',
  )
}

const readAccount = (env: Environment): Payer | undefined => {
  const key = env[keyName]
  if (!key) return undefined
  const payer = readPayer(key)
  if (payer) return payer
  throw new UsageError(`${keyName}: expected 0x and 64 hexadecimal digits`)
}

const readLimit = (text: string): string => {
  if (/^\d{1,12}(\.\d{1,6})?$/.test(text)) return text
  throw new UsageError('--limit: expected an amount such as 1 or 2.50, with at most 6 decimals')
}

const amountOf = ({ units, token, currency }: Offer): string =>
  `${fromBaseUnits(units, token.decimals)} ${currency.toUpperCase()}`

/** Chooses the cheapest way to pay, or says why there is none. */
const chooseOffer = (
  { offers, unknown }: Asked,
  { chain, limit }: { chain: string | undefined; limit: string },
): Offer => {
  const asked = offers.filter((offer) => chain === undefined || offer.chain === chain)
  const [offer] = asked
  if (!offer) {
    const others = offers.map((each) => `${amountOf(each)} on ${chainLabel(each.chain)}`)
    const known = [...others, ...unknown].map((each) => `\n  ${each}`).join('')
    throw new Error(
      `it can be paid in no way that this command${chain === undefined ? '' : ' and --chain'} allow:${known}`,
    )
  }
  const most = toBaseUnits(limit, offer.token.decimals)
  if (most !== undefined && offer.units <= most) return offer
  throw new Error(`it costs ${amountOf(offer)}, more than --limit ${limit} allows. Nothing was signed`)
}

const explain = (offer: Offer, { typedData, validUntilMs }: Proposal, payer: Payer | undefined): string => {
  const rows = [
    ['token', `${offer.token.address} (${offer.domain.name}, version ${offer.domain.version})`],
    ['from', payer?.address ?? `the account of ${keyName}`],
    ['to', offer.payTo],
    ['amount', `${offer.units} base units`],
    ['until', new Date(validUntilMs).toISOString()],
    ['as', `${typedData.primaryType} of ERC-3009, on eip155:${offer.chainId}`],
  ]
  const lines = rows.map(([name = '', value]) => `  ${name.padEnd(8)}${value}`)
  return `${amountOf(offer)} on ${chainLabel(offer.chain)}:\n${lines.join('\n')}\n`
}

const readOrder = ({ body }: Answer) => {
  try {
    return z.safeParse(Order, JSON.parse(body)).data
  } catch {
    return undefined
  }
}

/** How long a delivery is waited for. @units milliseconds */
const deliveryMs = 120_000

/** Follows an order of this kind of service to its delivery, and says what was delivered. */
const followDelivery = async (bought: Answer, { origin }: URL, { err, out }: CliContext): Promise<void> => {
  let order = readOrder(bought)
  const url = order?.payment.x402Url
  if (!order || typeof url !== 'string' || new URL(url).origin !== origin) return
  const endMs = Date.now() + deliveryMs
  while (order.phase !== 'completed' && Date.now() < endMs) {
    await sleep(1_000)
    const answer = await askSeller({ url, method: 'GET' }).catch(() => undefined)
    order = (answer?.status === 200 ? readOrder(answer) : undefined) ?? order
  }
  if (order.phase !== 'completed') err(`The order is paid and not delivered yet: ask ${url} again\n`)
  for (const { delivery } of order.lineItems) {
    for (const { locator } of delivery.tokens ?? []) {
      out(`delivered ${locator} to ${delivery.recipient?.walletAddress ?? 'its recipient'}\n`)
    }
  }
}

/** Returns what the seller says of a payment. */
const readSettlement = ({ headers }: Answer): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(Buffer.from(headers.get(x402Headers.response) ?? '', 'base64').toString('utf8'))
  } catch {
    return {}
  }
}

const refusalOf = (answer: Answer): string => {
  const { errorMessage, errorReason } = readSettlement(answer)
  const reason = [errorReason, errorMessage].filter((each) => typeof each === 'string').join(': ')
  return reason ? clip(reason, 500) : describeAnswer(answer)
}

const buy = async (
  context: CliContext,
  target: Target,
  { account, asked, offer }: { account: Payer; asked: Asked; offer: Offer },
): Promise<number> => {
  const { out, err } = context
  const proposal = proposePayment(offer, { payer: account, nowMs: Date.now() })
  err(`Paying ${explain(offer, proposal, account)}`)
  const payment = await signPayment(account, proposal, { offer, resource: asked.resource })
  const { nonce, validUntilMs } = proposal
  const onRetry = (reason: string) => err(`No decision yet (${reason}): sending the same payment again\n`)
  const unsure = `The payment with the nonce ${nonce} may have been made: look for it on the chain before you pay again`
  try {
    const { answer, wasLost } = await bringPayment(target, payment, { validUntilMs, now: Date.now, onRetry })
    if (answer.status >= 200 && answer.status < 300) {
      const { transaction } = readSettlement(answer)
      if (typeof transaction === 'string')
        err(`Paid ${amountOf(offer)} by transaction ${clip(transaction)}\n`)
      out(`${answer.body}\n`)
      await followDelivery(answer, new URL(target.url), context)
      return 0
    }
    throw new Error(`the payment was refused: ${refusalOf(answer)}${wasLost ? `. ${unsure}` : ''}`)
  } catch (error) {
    throw error instanceof UnknownOutcome ? new Error(`${error.message}. ${unsure}`) : error
  }
}

const options = {
  limit: { type: 'string', default: '1' },
  chain: { type: 'string' },
  method: { type: 'string', default: 'GET' },
  'dry-run': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

const payUrl: Command = async (args, context) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const target = readTarget(requireOne(positionals, 'one URL'), values.method)
  const limit = readLimit(values.limit)
  const account = readAccount(context.env)
  const isDry = values['dry-run']
  if (!account && !isDry)
    throw new UsageError(`${keyName}: required, the private key of the account that pays`)
  const first = await askSeller(target)
  if (first.status !== 402) {
    if (first.status < 200 || first.status >= 300)
      throw new Error(`the seller answered ${describeAnswer(first)}`)
    context.err('There is nothing to pay.\n')
    context.out(`${first.body}\n`)
    return 0
  }
  const asked = readOffers(first)
  const offer = chooseOffer(asked, { chain: values.chain, limit })
  if (account && !isDry) return buy(context, target, { account, asked, offer })
  const proposal = proposePayment(offer, { payer: account, nowMs: Date.now() })
  if (values.json) context.out(formatJson(proposal.typedData))
  else
    context.out(
      `This would be signed, and no transaction sent: ${explain(offer, proposal, account)}Nothing was signed.\n`,
    )
  return 0
}

/** `kassa-service pay …`. */
export const pay: Group = {
  help: `
  kassa-service pay <url> [--limit <amount>] [--chain <chain>] [--method GET | POST] [--dry-run [--json]]
      Pay for what a URL asks for by version 2 of x402, such as payment.x402Url of an order, and print the answer. The
      account of ${keyName} signs one transfer of USDC, which the seller sends, so that it needs no coins. It pays
      up to --limit, by default 1 USDC. An answer that is lost is asked for again with the same payment: no second one
      is signed. --dry-run says what would be signed, and needs no key.
`,
  commands: { '': payUrl },
  isWithoutDatabase: () => true,
}
