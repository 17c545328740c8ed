import { useState } from 'react'
import { t } from '../messages/index.js'
import { Button } from './Button.js'
import { Icon } from './Icon.js'
import { useToast } from './Toast.js'

/** Renders a `<button>` that copies a text. */
export const CopyButton = ({ text, what }: { text: string; what: string }) => {
  const say = useToast()
  const [isCopied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true)
        say(t.copied)
      },
      () => setCopied(false),
    )
  return (
    <Button kind="plain" size="small" shape="icon" aria-label={t.copyOf(what)} onClick={copy}>
      <Icon name={isCopied ? 'check' : 'copy'} />
    </Button>
  )
}
