import { and, isNull } from 'drizzle-orm'
import type { LineItemState } from 'kassa/engine'
import type { Transaction } from '#base/db/database.js'
import { templates } from '#base/db/tables/index.js'
import { isTemplate } from '#goods/collections/allocateTokens.js'

/**
 * Prevents the deletion of the templates that line items sell, until the transaction ends.
 *
 * @returns The id of a template that was deleted since the line items were quoted, if there is one.
 */
export const holdTemplates = async (
  tx: Transaction,
  projectId: string,
  items: readonly LineItemState[],
): Promise<string | undefined> => {
  for (const { collectionId: id, templateId, quote } of items) {
    if (templateId === undefined || quote.status === 'item-unavailable') continue
    const isKept = and(isTemplate({ projectId, id }, templateId), isNull(templates.deletedAt))
    const [row] = await tx.select({ id: templates.id }).from(templates).where(isKept).for('key share')
    if (!row) return templateId
  }
  return undefined
}
