import * as z from 'zod/mini'
import { Decimal } from './decimal.js'
import { trimCode } from './limits.js'
import { WalletAddress } from './locator.js'
import { Limit, limitError, orNoLimit } from './noLimit.js'
import { nameText } from './text.js'

/** A time that a merchant names. */
const Time = z.iso.datetime({ offset: true, error: 'expected an ISO 8601 time' })

const isSomeGiven = z.refine<object>(
  (limits) => Object.values(limits).some((limit) => limit !== undefined),
  'expected at least one of wallet, email, payer',
)

/** The most tokens that one buyer can get, by what identifies the buyer. Every limit given applies. */
const MaxPerBuyer = z
  .object(
    { wallet: z.optional(Limit), email: z.optional(Limit), payer: z.optional(Limit) },
    limitError('expected an object, such as {"wallet": 2}'),
  )
  .check(isSomeGiven)

/** A change of the limits for each buyer: omitted limits stay. */
const MaxPerBuyerChange = z
  .object(
    {
      wallet: z.optional(orNoLimit(Limit)),
      email: z.optional(orNoLimit(Limit)),
      payer: z.optional(orNoLimit(Limit)),
    },
    limitError('expected an object, such as {"wallet": 2}'),
  )
  .check(isSomeGiven)

const isPercent = (text: string): boolean => text === '100' || /^\d{1,2}(\.\d{1,2})?$/.test(text)

const isPositive = (text: string): boolean => /[1-9]/.test(text)

/** A code as a merchant chooses it and a buyer types it. Not case-sensitive. */
export const PromotionCodeText = z
  .string('expected a code')
  .check(
    z.overwrite(trimCode),
    z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{2,39}$/, 'expected 3 to 40 letters, digits, hyphens or underscores'),
  )

const promotionCode = {
  code: PromotionCodeText,
  percent: z.optional(
    Decimal.check(
      z.refine(
        (text) => isPercent(text) && isPositive(text),
        'expected more than 0 and at most 100, with at most 2 decimals',
      ),
    ),
  ),
  amount: z.optional(Decimal.check(z.refine(isPositive, 'expected more than 0'))),
  limit: z.optional(Limit),
  expiresAt: z.optional(Time),
}

const hasOneDiscount = z.refine<{ percent?: string | undefined; amount?: string | undefined }>(
  ({ percent, amount }) => (percent === undefined) !== (amount === undefined),
  'expected either percent or amount',
)

/** A code that lowers the price: by a percentage, or by an amount in the currency of the price. */
const PromotionCode = z.object(promotionCode).check(hasOneDiscount)
const PromotionCodeChange = z
  .object({ ...promotionCode, limit: z.optional(orNoLimit(Limit)) })
  .check(hasOneDiscount)

const maxCodes = z.maxLength(100, 'expected at most 100 codes')
const isEachCodeOnce = z.refine<{ code: string }[]>(
  (codes) => new Set(codes.map(({ code }) => code.toUpperCase())).size === codes.length,
  'expected each code once; capital and small letters are the same',
)

const PromotionCodes = z.array(PromotionCode).check(maxCodes, isEachCodeOnce)
const PromotionCodesChange = z.array(PromotionCodeChange).check(maxCodes, isEachCodeOnce)

const Hash = z
  .string()
  .check(z.regex(/^0x[0-9a-fA-F]{64}$/, 'expected 32 bytes in hex, such as a Merkle root'))

/**
 * The proof that a wallet is on the allow-list of a phase: the hashes beside the way from its leaf to the Merkle root.
 */
export const AllowListProof = z.array(Hash).check(z.maxLength(64, 'expected at most 64 hashes'))

/** Who may buy in a phase: wallets by their addresses, by a Merkle root of them, or by both. */
const listed = {
  addresses: z.optional(
    z
      .array(WalletAddress)
      .check(
        z.minLength(1, 'expected one address or more'),
        z.maxLength(10_000, 'expected at most 10000 addresses; use merkleRoot for more'),
      ),
  ),
  merkleRoot: z.optional(Hash),
}
const AllowList = z
  .object(listed)
  .check(
    z.refine(
      ({ addresses, merkleRoot }) => addresses !== undefined || merkleRoot !== undefined,
      'expected addresses or merkleRoot',
    ),
  )

/** Who may buy in a phase of a change: `listId` keeps the addresses that the collection has under it. */
const AllowListChange = z
  .object({ ...listed, listId: z.optional(z.uuid('expected the listId of a phase of this collection')) })
  .check(
    z.refine(
      ({ addresses, merkleRoot, listId }) => (addresses ?? merkleRoot ?? listId) !== undefined,
      'expected addresses, merkleRoot or listId',
    ),
    z.refine(
      ({ addresses, listId }) => addresses === undefined || listId === undefined,
      'expected either addresses or listId',
    ),
  )

const Phase = z.object({
  name: nameText(60),
  startsAt: z.optional(Time),
  allowList: z.optional(AllowList),
  maxTokens: z.optional(Limit),
})

type Phased = Pick<z.infer<typeof Phase>, 'name' | 'startsAt'>

/** Refuses phases without an order in time, or without a name of their own. */
const inTurn = z.check<Phased[]>(({ value: phases, issues }) => {
  for (const [index, { name, startsAt }] of phases.entries()) {
    const before = phases[index - 1]?.startsAt
    const isFirst = index === 0
    const isLater = startsAt !== undefined && (!before || Date.parse(before) < Date.parse(startsAt))
    if (!isFirst && !isLater) {
      const message = 'expected a time after the start of the phase before'
      issues.push({ code: 'custom', input: startsAt, path: [index, 'startsAt'], message })
    }
    if (phases.findIndex((one) => one.name === name) < index) {
      const message = 'expected a name that no other phase has'
      issues.push({ code: 'custom', input: name, path: [index, 'name'], message })
    }
  }
})

/** The phases of a sale, one after another: each lasts until the next one starts. */
const Phases = z
  .array(Phase)
  .check(z.minLength(1, 'expected one phase or more'), z.maxLength(10, 'expected at most 10 phases'), inTurn)
const PhaseChange = z.extend(Phase, {
  allowList: z.optional(AllowListChange),
  maxTokens: z.optional(orNoLimit(Limit)),
})
const PhasesChange = z
  .array(PhaseChange)
  .check(z.minLength(1, 'expected one phase or more'), z.maxLength(10, 'expected at most 10 phases'), inTurn)

const rules = {
  startsAt: z.optional(Time),
  endsAt: z.optional(Time),
  phases: z.optional(Phases),
  maxPerBuyer: z.optional(MaxPerBuyer),
  promotionCodes: z.optional(PromotionCodes),
}

type Window = { startsAt?: string | null | undefined; endsAt?: string | null | undefined }

/** Refuses an end that is not after the start. */
const inOrder = z.check<Window>(({ value: { startsAt, endsAt }, issues }) => {
  if (!startsAt || !endsAt || Date.parse(startsAt) < Date.parse(endsAt)) return
  issues.push({ code: 'custom', input: endsAt, path: ['endsAt'], message: 'expected a time after startsAt' })
})

/**
 * The rules of a sale, an extension of the interface: when it is open and to whom, how many tokens a buyer can get, and
 * which codes lower the price.
 *
 * @units `promotionCodes[].amount` is a decimal string in whole units of the currency of the price
 */
export const SaleRules = z.object(rules).check(inOrder)
export type SaleRules = z.infer<typeof SaleRules>

/**
 * A change of the rules of a sale: omitted rules and limits stay. `null` removes a rule, but never a limit: `unlimited`
 * removes that. Phases are replaced by those given, whose allow-lists may keep the addresses that are stored.
 */
export const SaleRulesChange = z
  .object({
    startsAt: z.nullish(rules.startsAt),
    endsAt: z.nullish(rules.endsAt),
    phases: z.nullish(z.optional(PhasesChange)),
    maxPerBuyer: z.optional(MaxPerBuyerChange),
    promotionCodes: z.nullish(z.optional(PromotionCodesChange)),
  })
  .check(inOrder)
export type SaleRulesChange = z.infer<typeof SaleRulesChange>
