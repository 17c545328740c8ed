import { type ActionData, MintNftBody, type Nft, UpdateNftBody, type WebhookEventType } from 'kassa/schema'
import * as z from 'zod/mini'
import type { Database } from '#base/db/database.js'
import { mails, webhookEndpoints, webhookEvents } from '#base/db/tables/index.js'
import { getNft } from '#goods/nfts/findNft.js'
import { mintNft } from '#goods/nfts/mintNft.js'
import { updateNft } from '#goods/nfts/updateNft.js'
import { createOrderWorld, recipientAddress } from './createOrderWorld.js'

/** A client's body that mints a token with its own metadata. */
export const mintBody = {
  recipient: `base-sepolia:${recipientAddress}`,
  metadata: { name: 'One', image: 'ipfs://one' },
}

/** An event as its receivers read it. */
export type SentEvent = { type: WebhookEventType; actionId: string; resource: string; data: ActionData }

/** The verbs and effects of tokens, based on those of orders. */
export const createNftWorld = async (parts: Parameters<typeof createOrderWorld>[0]) => {
  const world = await createOrderWorld(parts)
  const { deps, serverCall, projectId } = world
  const db: Database = parts.db
  return {
    ...world,
    mint: (collectionId: string, body: object = {}, nftId?: string): Promise<Nft> => {
      const asked = z.parse(MintNftBody, { ...mintBody, ...body })
      const id = nftId === undefined ? {} : { nftId }
      return mintNft(deps, serverCall, { collectionId, body: asked, ...id })
    },
    update: (collectionId: string, nftId: string, body: object): Promise<Nft> =>
      updateNft(deps, serverCall, { collectionId, nftId, body: z.parse(UpdateNftBody, body) }),
    read: (collectionId: string, nftId: string): Promise<Nft> =>
      getNft(deps, serverCall, { collectionId, nftId }),
    /** Subscribes an endpoint to some events. */
    listen: async (...eventTypes: WebhookEventType[]) => {
      await db.insert(webhookEndpoints).values({
        projectId,
        url: 'https://hook.example',
        eventTypes,
        secrets: [],
        createdAt: new Date(parts.now()),
      })
    },
    events: async (): Promise<SentEvent[]> => {
      const rows = await db.select().from(webhookEvents)
      return rows.map(({ body }) => JSON.parse(body) as SentEvent)
    },
    mails: () => db.select().from(mails),
  }
}

export type NftWorld = Awaited<ReturnType<typeof createNftWorld>>
