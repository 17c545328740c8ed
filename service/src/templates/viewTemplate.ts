import type { Template as TemplateView } from 'kassa/schema'
import type { Template } from './findTemplate.js'

/** Shows a template as the interface has it. Copies that are being minted count as minted: nobody else gets them. */
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
