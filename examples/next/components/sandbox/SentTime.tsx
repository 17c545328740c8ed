import { Moment } from '../shop/Moment'

/** Shows when an e-mail was sent. */
export function SentTime({ at }: { at: Date | undefined }) {
  return at ? <Moment at={at} /> : <span>Not sent yet</span>
}
