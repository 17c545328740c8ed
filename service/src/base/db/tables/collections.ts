import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import type { SaleRules } from 'kassa/engine'
import type { BuyerDetail } from 'kassa/schema'
import { projects } from './projects.js'

/** The collections that merchants sell tokens of. */
export const collections = pgTable(
  'collections',
  {
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id),
    /** The merchant's own id for it. */
    id: text('id').notNull(),
    chain: text('chain').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    imageUrl: text('image_url').notNull(),
    symbol: text('symbol').notNull(),
    fungibility: text('fungibility', { enum: ['non-fungible', 'semi-fungible'] }).notNull(),
    isTransferable: boolean('is_transferable').notNull(),
    isSubscription: boolean('is_subscription').notNull().default(false),
    /** Null means no limit. */
    supplyLimit: integer('supply_limit'),
    /**
     * Price of one token, a decimal string in whole units of `priceCurrency`; null while it is not for sale.
     */
    price: text('price'),
    priceCurrency: text('price_currency'),
    /** The recipient of the proceeds; null means the operator's treasury. */
    paymentRecipient: text('payment_recipient'),
    /** URI of the JSON that marketplaces read about the collection; null until it is created. */
    contractUri: text('contract_uri'),
    /** Tokens minted or being minted. */
    allocatedCount: integer('allocated_count').notNull().default(0),
    /** Never decreases, so that no token id is assigned twice. */
    nextTokenId: bigint('next_token_id', { mode: 'bigint' }).notNull(),
    /** The transaction that deployed its contract; null until it is known to be deployed. */
    contractTxId: text('contract_tx_id'),
    /** Counts its updates on the chain, so that the chain accepts them in their order. */
    revision: integer('revision').notNull().default(0),
    /** The last revision that the chain has accepted. */
    chainRevision: integer('chain_revision').notNull().default(0),
    /** Whether a job is about to put the waiting mints into a batch. */
    isGathering: boolean('is_gathering').notNull().default(false),
    /**
     * The hash of the request that created it, so that a different request for this id is detected; null for
     * the service's own collections.
     */
    requestHash: text('request_hash'),
    /** The action that deployed it; null for the service's own collections. */
    actionId: uuid('action_id'),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
    /** The royalty of a resale in hundredths of a percent, paid to `paymentRecipient`. */
    royaltyBasisPoints: integer('royalty_basis_points').notNull().default(0),
    /** The buyer's details that an order needs before it can be paid. */
    requires: jsonb('requires').$type<readonly BuyerDetail[]>().notNull().default([]),
    /** The currencies that orders may be paid in; null means all that the deployment accepts. */
    paymentCurrencies: text('payment_currencies').array(),
    /** Tokens that paid orders wait for, without a token id yet. */
    reservedCount: integer('reserved_count').notNull().default(0),
    /** The rules of its sale; null means none. */
    sale: jsonb('sale').$type<SaleRules>(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('collections_newest').on(table.projectId, table.createdAt, table.id),
  ],
)
