import type { NextRequest } from 'next/server'
import { isAddressOf } from '../../../lib/delivery'
import { getShop } from '../../../lib/shop'
import { listHoldings } from '../../../lib/wallet/listHoldings'

const refuse = (error: string, status: number): Response => Response.json({ error }, { status })

/** Answers what an account holds of this shop's editions: `?chain=base-sepolia&address=0x…`. */
export const GET = async ({ nextUrl }: NextRequest): Promise<Response> => {
  const shop = await getShop()
  const network = shop?.networks.find(({ name }) => name === nextUrl.searchParams.get('chain'))
  const address = nextUrl.searchParams.get('address') ?? ''
  if (!shop) return refuse('The service does not answer.', 503)
  if (!network) return refuse('chain: this shop does not sell there.', 400)
  if (!isAddressOf(network.family, address)) return refuse('address: expected an address on the chain.', 400)
  try {
    const tokens = await listHoldings(shop.editions, `${network.name}:${address}`)
    return Response.json(tokens, { headers: { 'cache-control': 'no-store' } })
  } catch {
    return refuse('The chain does not answer.', 503)
  }
}
