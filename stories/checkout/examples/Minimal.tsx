import { Checkout } from 'kassa'

/** The least a checkout needs: every part with its default text. */
export function Minimal(props: Checkout.Root.Props) {
  return (
    <Checkout.Root {...props}>
      <Checkout.Items />
      <p>
        Total <Checkout.Total />
      </p>
      <Checkout.Error />
      <Checkout.Pay /> <Checkout.Expiry />
      <p>
        <Checkout.Status />
      </p>
      <Checkout.Receipt />
    </Checkout.Root>
  )
}
