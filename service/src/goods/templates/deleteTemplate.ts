import { and, eq } from 'drizzle-orm'
import type { Template as TemplateView } from 'kassa/schema'
import type { Call } from '#base/call.js'
import { nfts, templates } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { requireServerScope } from '#identity/authorize.js'
import { isTemplate } from '../collections/allocateTokens.js'
import { requireCollection } from '../collections/findCollection.js'
import { countOpenOrders } from './countOpenOrders.js'
import { lockTemplate, templateIdOf, viewTemplate } from './findTemplate.js'

const countOf = (count: number, noun: string): string[] =>
  count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`]

/**
 * Deletes a template: no token can be minted and no order can be created from it any more. Its copies stay,
 * and in a semi-fungible collection its token id stays taken. The row stays too, because a payment that was
 * sent in time may still be found for an order whose quote has expired.
 *
 * @returns The template as it was.
 * @throws {@link ServiceError} `forbidden`, `not-found`, and `conflict` while open orders or unfinished mints
 * name it.
 * @source answers.md "Revised: Wallets, tokens, credentials"
 */
export const deleteTemplate = async (
  deps: Pick<Deps, 'db' | 'now'>,
  call: Call,
  { collectionId, templateId }: { collectionId: string; templateId: string },
): Promise<TemplateView> => {
  requireServerScope(call.actor, 'nfts.delete')

  const { projectId } = call.actor
  const known = await requireCollection(deps.db, projectId, collectionId)
  return deps.db.transaction(async (tx) => {
    const { template } = await lockTemplate(tx, known, templateId)
    const { id } = template
    const orderCount = await countOpenOrders(tx, { projectId, collectionId: known.id, templateId: id }, [
      'payment',
      'delivery',
    ])
    const isCopy = and(
      eq(nfts.projectId, projectId),
      eq(nfts.collectionId, known.id),
      eq(nfts.templateId, id),
    )
    const mintCount = await tx.$count(nfts, and(isCopy, eq(nfts.status, 'pending')))
    const uses = [...countOf(orderCount, 'open order'), ...countOf(mintCount, 'unfinished mint')]
    if (uses.length) {
      const message = `The template ${templateIdOf(template)} cannot be deleted: ${uses.join(' and ')} must end first. Try again then`
      throw new ServiceError('conflict', message)
    }
    await tx
      .update(templates)
      .set({ deletedAt: new Date(deps.now()) })
      .where(isTemplate(known, id))
    const answer = viewTemplate(template)
    await call.complete(tx, { status: 200, body: answer })
    return answer
  })
}
