import { Moment } from '../shop/Moment'

/** When an e-mail was sent. */
export function SentTime({ at }: { at: Date | undefined }) {
  return at ? <Moment at={at} /> : <span>Not sent yet</span>
}
