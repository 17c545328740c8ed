import { Checkout } from 'kassa'
import { useId } from 'react'

/** The stages at which nothing is left to pay. */
const ended: readonly string[] = ['delivering', 'completed', 'failed', 'unavailable']

/** The steps at which a payment may be on its way. */
const sent: readonly string[] = ['broadcast', 'confirming', 'paid', 'uncertain']

/**
 * A whole checkout from parts: what is bought, what it costs, how to pay, and what came of it. `kassa/theme.css`
 * finds the elements between the parts by `data-kassa`.
 */
export function Composed(props: Checkout.Root.Props) {
  const titleId = useId()
  return (
    <Checkout.Root {...props} aria-labelledby={titleId}>
      {({ stage, step }) => (
        <>
          <h2 id={titleId} data-kassa="heading">
            Your order
          </h2>

          <Checkout.Items>
            <Checkout.Item>
              <Checkout.ItemImage />
              <div data-kassa="item-text">
                <Checkout.ItemName />
                <span data-kassa="item-notes">
                  <Checkout.ItemQuantity /> <Checkout.ItemDelivery />
                </span>
              </div>
              <Checkout.ItemPrice />
            </Checkout.Item>
          </Checkout.Items>

          <div data-kassa="sums">
            <p data-kassa="sum">
              Total <Checkout.Total />
            </p>
          </div>

          <div data-kassa="actions">
            <p data-kassa="news">
              <Checkout.Status />{' '}
              {stage !== 'expired' && !sent.includes(step) && (
                <Checkout.Expiry>
                  {({ timeLeft }) => timeLeft && `Price locked for ${timeLeft}`}
                </Checkout.Expiry>
              )}
            </p>
            <Checkout.Error />
            {!ended.includes(stage) && <Checkout.Pay />}
          </div>

          <Checkout.Receipt />
        </>
      )}
    </Checkout.Root>
  )
}
