import type { Template as TemplateView } from 'kassa/schema'
import type { Template } from './findTemplate.js'

/**
 * Converts a template to its form in the interface. Copies being minted count as minted, because they are no
 * longer available.
 */
export const viewTemplate = ({
  id,
  metadata,
  tokenId,
  supplyLimit,
  allocatedCount,
}: Template): TemplateView => ({
  templateId: id,
  metadata,
  ...(tokenId !== null && { onChain: { tokenId: Number(tokenId) } }),
  supply: { ...(supplyLimit !== null && { limit: supplyLimit }), minted: allocatedCount },
})
