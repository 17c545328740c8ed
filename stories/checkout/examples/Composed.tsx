import { Checkout } from 'kassa'
import { useId } from 'react'

const shorten = (text: string): string => `${text.slice(0, 6)}…${text.slice(-4)}`

/** A whole checkout: what is bought, what it costs, how to pay, and what came of it. */
export function Composed(props: Checkout.Root.Props) {
  const titleId = useId()
  return (
    <Checkout.Root {...props} className="checkout" aria-labelledby={titleId}>
      <h2 id={titleId}>Your order</h2>

      <Checkout.Items className="items">
        <Checkout.Item className="item">
          <Checkout.ItemImage className="item-image" />
          <div className="item-text">
            <Checkout.ItemName className="item-name" />
            <span className="item-notes">
              <Checkout.ItemQuantity className="item-quantity" />
              <Checkout.ItemDelivery className="item-delivery" />
            </span>
          </div>
          <Checkout.ItemPrice className="item-price" />
        </Checkout.Item>
      </Checkout.Items>

      <p className="sum">
        <span>Total</span>
        <Checkout.Total className="total" />
      </p>

      <Checkout.Receipt className="receipt">
        {(tokens) => (
          <>
            <h3>Receipt</h3>
            <ul>
              {tokens.map(({ locator, name, tokenId, contractAddress: address, mintHash, recipient }) => (
                <li key={locator}>
                  <strong>
                    {name} {tokenId && `#${tokenId}`}
                  </strong>
                  <span>
                    <code title={address ?? mintHash}>{shorten(address ?? mintHash ?? locator)}</code>
                    {recipient && (
                      <>
                        {' to '}
                        <code title={recipient}>{shorten(recipient)}</code>
                      </>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </Checkout.Receipt>

      <Checkout.Error className="error" />
      <Checkout.Pay className="pay" />

      <footer className="foot">
        <Checkout.Status className="status" />
        <Checkout.Expiry className="expiry">
          {({ timeLeft }) => timeLeft && `Price locked for ${timeLeft}`}
        </Checkout.Expiry>
      </footer>
    </Checkout.Root>
  )
}
