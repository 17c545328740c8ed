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
import type { BuyerDetail } from 'kassa/schema'
import { projects } from './projects.js'

/** What a merchant sells tokens of. */
export const collections = pgTable(
  'collections',
  {
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id),
    /** The merchant's own name for it. */
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
    /** Price of one token, a decimal string in whole units of `priceCurrency`; null while it is not for sale. */
    price: text('price'),
    priceCurrency: text('price_currency'),
    /** Who gets the takings; null means the operator's treasury. */
    paymentRecipient: text('payment_recipient'),
    /** URI of the JSON that marketplaces read of the collection; null until it is made. */
    contractUri: text('contract_uri'),
    /** Tokens minted or being minted. */
    allocatedCount: integer('allocated_count').notNull().default(0),
    /** Never goes back, so that no token id is given out twice. */
    nextTokenId: bigint('next_token_id', { mode: 'bigint' }).notNull(),
    /** The transaction that put its contract on its chain; null while it is not known to be there. */
    contractTxId: text('contract_tx_id'),
    /** Counts the changes that go to the chain, so that the chain takes them in their order. */
    revision: integer('revision').notNull().default(0),
    /** The last of them that the chain has taken. */
    chainRevision: integer('chain_revision').notNull().default(0),
    /** Whether a job is about to put the waiting mints into a batch. */
    isGathering: boolean('is_gathering').notNull().default(false),
    /** Of the request that created it, so that another one for this id is noticed; null for those made by the service. */
    requestHash: text('request_hash'),
    /** The action that put it on chain; null for those made by the service. */
    actionId: uuid('action_id'),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
    /** The royalty of a resale in hundredths of a percent, paid to `paymentRecipient`. */
    royaltyBasisPoints: integer('royalty_basis_points').notNull().default(0),
    /** What an order has to name of its buyer before it can be paid. */
    requires: jsonb('requires').$type<readonly BuyerDetail[]>().notNull().default([]),
    /** The currencies that orders may be paid in; null means all that the deployment takes. */
    paymentCurrencies: text('payment_currencies').array(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('collections_newest').on(table.projectId, table.createdAt, table.id),
  ],
)
