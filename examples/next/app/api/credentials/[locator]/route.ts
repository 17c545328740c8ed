import { getCredential, isKassaError } from 'kassa/api'
import { createShopClient } from '../../../../lib/serverClient'
import { getCurrentSession } from '../../../../lib/session/currentSession'
import { getShop } from '../../../../lib/shop'
import { findOwner } from '../../../../lib/wallet/findOwner'
import { verifyCredential } from '../../../../lib/wallet/verifyCredential'

const answer = (status: number, body: object): Response =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store' } })

/** The credential of a token, and what this server has found it to be, for somebody who is signed in. */
export const GET = async (
  _: Request,
  { params }: { params: Promise<{ locator: string }> },
): Promise<Response> => {
  const [{ locator }, session, shop] = await Promise.all([params, getCurrentSession(), getShop()])
  if (!session) return answer(401, { error: true, message: 'Sign in first' })
  try {
    const credential = await getCredential(createShopClient(), { nftLocator: decodeURIComponent(locator) })
    const checked = await verifyCredential(credential, {
      nowMs: Date.now(),
      findOwner: (nft) => findOwner(shop?.networks ?? [], nft),
    })
    return answer(200, { credential, checked })
  } catch (error) {
    if (isKassaError(error, 'api.not-found')) return answer(404, { error: true, message: 'Not found' })
    if (isKassaError(error, 'api.bad-request'))
      return answer(400, { error: true, message: error.context.message })
    console.error('A credential could not be had.', isKassaError(error) ? error.code : error)
    return answer(503, { error: true, message: 'Try again in a moment' })
  }
}
