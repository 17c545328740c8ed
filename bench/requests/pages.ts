import type { Page } from 'playwright'
import type { Sale, World } from './openWorld.js'

/** Opens Kassa's checkout of an order, in a page that is there. */
export const openCheckout = (
  { shop, kassa }: World,
  page: Page,
  sale: Sale,
  signingMs = 0,
): Promise<void> => {
  const { rpcUrl, rules } = shop.address
  return page.evaluate((parameters) => window.bench.openCheckout(parameters), {
    ...sale,
    baseUrl: kassa.baseUrl,
    rpcUrl,
    rules,
    signingMs,
  })
}

/** Starts the peer: reads the whole order every second until it is completed, and no sooner stops. */
export const pollBySecond = ({ peer }: World, page: Page, sale: Sale): Promise<void> =>
  page.evaluate(
    ({ url, clientSecret }) => {
      const read = async (): Promise<void> => {
        const answer = await fetch(url, { headers: { authorization: clientSecret } })
        const { phase } = (await answer.json()) as { phase: string }
        if (phase === 'completed') clearInterval(timer)
      }
      const timer = setInterval(read, 1_000)
      void read()
    },
    { url: `${peer.baseUrl}/2022-06-09/orders/${sale.orderId}`, clientSecret: sale.clientSecret },
  )
