import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import type { NftMetadata } from 'kassa/schema'
import { collections } from './collections.js'
import { templates } from './templates.js'

/** Tokens, from the moment they are requested. */
export const nfts = pgTable(
  'nfts',
  {
    projectId: uuid('project_id').notNull(),
    collectionId: text('collection_id').notNull(),
    /** Chosen by the caller, or a UUID. */
    id: text('id').notNull(),
    status: text('status', { enum: ['pending', 'success', 'failed', 'burned'] }).notNull(),
    /** Assigned before the mint. In a semi-fungible collection, the template's. */
    tokenId: bigint('token_id', { mode: 'bigint' }).notNull(),
    templateId: uuid('template_id'),
    /**
     * As the caller wrote it, such as `email:ada@example.com:base-sepolia`; null for one that an order
     * delivered.
     */
    recipient: text('recipient'),
    /** The recipient of the mint: an address in the chain's canonical form. */
    owner: text('owner'),
    metadata: jsonb('metadata').$type<NftMetadata>().notNull(),
    /** `ipfs://` URI of the metadata on chain. */
    uri: text('uri').notNull(),
    locale: text('locale').notNull(),
    /** Whether the recipient is notified of the mint by e-mail. */
    hasNotification: boolean('has_notification').notNull(),
    /** When a subscription ends, as last written to the chain, where its holder may have ended it since. */
    expiresAt: timestamp('expires_at', { withTimezone: true, precision: 3 }),
    /** Counts its updates on the chain, so that the chain accepts them in their order. */
    revision: integer('revision').notNull().default(0),
    /** The last revision that renewed a subscription. */
    renewalRevision: integer('renewal_revision').notNull().default(0),
    /** The last revision that the chain has accepted. */
    chainRevision: integer('chain_revision').notNull().default(0),
    /** The batch it is minted in; null while it waits for one. */
    batchId: uuid('batch_id'),
    txId: text('tx_id'),
    orderId: uuid('order_id'),
    requestHash: text('request_hash'),
    /** The action of its mint; null for one that an order delivered. */
    actionId: uuid('action_id'),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
    /** The action of its burn, which is also the id of the wallet's transaction; null if it failed. */
    burnActionId: uuid('burn_action_id'),
    /** Whether it is a leaf of a tree on Solana. */
    isCompressed: boolean('is_compressed').notNull().default(false),
    /** The address of a token that has one only from its mint on; null if it is computed. */
    mintHash: text('mint_hash'),
    /** The template's id in the interface, if it is no UUID. */
    templateName: text('template_name'),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.collectionId, table.id] }),
    foreignKey({
      columns: [table.projectId, table.collectionId],
      foreignColumns: [collections.projectId, collections.id],
    }),
    foreignKey({
      name: 'nfts_template_fk',
      columns: [table.projectId, table.collectionId, table.templateId],
      foreignColumns: [templates.projectId, templates.collectionId, templates.id],
    }),
    index('nfts_newest').on(table.projectId, table.collectionId, table.createdAt, table.id),
    index('nfts_waiting').on(table.projectId, table.collectionId, table.status, table.batchId),
    index('nfts_batch').on(table.batchId),
    index('nfts_action').on(table.actionId),
    index('nfts_burn').on(table.burnActionId).where(sql`burn_action_id is not null`),
  ],
)
