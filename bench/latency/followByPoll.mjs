import { createClient, getOrder } from 'kassa/api'

/**
 * The peer: reads a whole order every second, from no page, and notes when it hears of the payment and of the
 * delivery.
 * @param {{ serviceUrl: string, sandbox: { serverKey: string } }} stack
 * @param {string} orderId
 */
export const followByPoll = ({ serviceUrl, sandbox }, orderId) => {
  const client = createClient({ baseUrl: `${serviceUrl}/api`, apiKey: sandbox.serverKey })
  let paidAtMs = Number.NaN
  /** @type {Promise<{ paidAtMs: number, deliveredAtMs: number }>} */
  const followed = new Promise((resolve, reject) => {
    const look = async () => {
      const { phase, payment } = await getOrder(client, { orderId })
      if (Number.isNaN(paidAtMs) && payment.status === 'completed') paidAtMs = Date.now()
      if (phase !== 'completed') return
      clearInterval(timer)
      resolve({ paidAtMs, deliveredAtMs: Date.now() })
    }
    const timer = setInterval(
      () =>
        look().catch((error) => {
          clearInterval(timer)
          reject(error)
        }),
      1_000,
    )
  })
  return followed
}
