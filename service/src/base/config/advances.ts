import type { Config } from './config.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Returns one network's part of an allowance that all callers of a project share, so that the others keep the rest. */
export const networkPart = (allowance: number): number => Math.max(1, Math.floor(allowance / 4))

/** What the caps of an advance count together. */
export type AdvanceScope = 'network' | 'project' | 'chain' | 'order' | 'payer' | 'recipient'

/** Something that a stranger with a client key makes the operator pay before anyone has paid the operator. */
export type Advance = {
  /** What the operator pays. */
  costs: string
  /** What the caps count. */
  counts: string
  windowMs: number
  /** The most within a window, for each scope that has a cap. */
  caps: (config: Config) => Partial<Record<AdvanceScope, number>>
  /** What becomes of one that is over a cap. */
  over: 'refused' | 'held' | 'left out'
}

/**
 * All that strangers make the operator pay in advance. What is not here either costs nothing or follows a payment of the
 * whole price. `docs/security.md` explains the table.
 */
export const advances = {
  orderWrites: {
    costs: 'calls of the node, and the storage of an order',
    counts: 'orders that are created with a client key or by a payment link',
    windowMs: minuteMs,
    caps: ({ limits: { clientWritesPerMinute: project } }: Pick<Config, 'limits'>) => ({
      network: networkPart(project),
      project,
    }),
    over: 'refused',
  },
  secretWrites: {
    costs: 'calls of the node',
    counts: 'changes and new prices of an order, by its client secret',
    windowMs: minuteMs,
    caps: ({ limits }: Pick<Config, 'limits'>) => ({
      network: limits.addressSecretWritesPerMinute,
      order: limits.secretWritesPerMinute,
    }),
    over: 'refused',
  },
  secretReads: {
    costs: 'calls of the node and the database',
    counts: 'reads of an order and of its ways to pay, by its client secret',
    windowMs: minuteMs,
    caps: ({ limits }: Pick<Config, 'limits'>) => ({
      network: limits.addressSecretReadsPerMinute,
      order: limits.secretReadsPerMinute,
    }),
    over: 'refused',
  },
  balances: {
    costs: 'about eight calls of each chain’s node',
    counts: 'lists of the ways to pay for which the chains say what a payer holds, by client secrets',
    windowMs: hourMs,
    caps: ({ limits }: Pick<Config, 'limits'>) => ({
      network: Math.ceil(limits.addressSecretReadsPerMinute / 2),
    }),
    over: 'left out',
  },
  claims: {
    costs: 'the gas of mints, the rent of tokens on Solana, and a wallet for a recipient without one',
    counts: 'tokens that cost nothing, of orders created with a client key',
    windowMs: hourMs,
    caps: ({ claims }: Pick<Config, 'claims'>) => ({
      network: claims.perNetworkPerHour,
      project: claims.perProjectPerHour,
    }),
    over: 'refused',
  },
  claimMails: {
    costs: 'an e-mail to an address that nobody has confirmed',
    counts: 'e-mails of a project about such tokens',
    windowMs: hourMs,
    caps: () => ({ recipient: 3 }),
    over: 'left out',
  },
  openings: {
    costs: 'the rent of a token account on Solana, for about an hour',
    counts: 'accounts that are opened for orders in tokens',
    windowMs: hourMs,
    caps: ({ solanaOpeningsPerHour: { perProject, perChain } }: Pick<Config, 'solanaOpeningsPerHour'>) => ({
      network: networkPart(perProject),
      project: perProject,
      chain: perChain,
    }),
    over: 'refused',
  },
  authorizations: {
    costs: 'the gas of a payment that its buyer signed, up to a part of its price',
    counts: 'payments that the operator sends for their payers',
    windowMs: dayMs,
    caps: ({ gasless }: Pick<Config, 'gasless'>) => ({
      order: gasless?.perOrder ?? 0,
      payer: gasless?.perPayer ?? 0,
      project: gasless?.perProject ?? 0,
      chain: gasless?.perChain ?? 0,
    }),
    over: 'refused',
  },
  refunds: {
    costs: 'the gas of a refund',
    counts: 'refunds that the service sends by its own rules, for each size of them',
    windowMs: hourMs,
    caps: ({ refunds }: Pick<Config, 'refunds'>) => ({
      payer: refunds.perPayerPerHour,
      project: refunds.perProjectPerHour,
    }),
    over: 'held',
  },
} as const satisfies Record<string, Advance>

/** The name of a row of {@link advances}. */
export type AdvanceName = keyof typeof advances
