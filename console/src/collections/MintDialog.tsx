import { mintNft } from 'kassa/api'
import type { Collection } from 'kassa/schema'
import { useState } from 'react'
import { storePicture } from '../api/collections.js'
import { client, useOnce } from '../api/console.js'
import { useReadAgain } from '../api/developers.js'
import { Field } from '../components/Field.js'
import { FormDialog } from '../components/FormDialog.js'
import { useToast } from '../components/Toast.js'
import { t } from '../messages/index.js'
import { PictureFields } from './PictureFields.js'

const s = t.collections

const read = ({ metadata }: Collection) => ({
  recipient: '',
  name: metadata.name ?? '',
  image: metadata.imageUrl ?? '',
  description: metadata.description ?? '',
})

/** Renders a `<button>` that mints a token to an e-mail address or a wallet. */
export const MintDialog = ({ collection }: { collection: Collection }) => {
  const [fields, setFields] = useState(() => read(collection))
  const [file, setFile] = useState<File>()
  const say = useToast()
  const readAgain = useReadAgain()
  const once = useOnce()
  const { id: collectionId, onChain } = collection
  const open = () => {
    setFields(read(collection))
    setFile(undefined)
  }
  const set = (name: keyof typeof fields) => (value: string) =>
    setFields((known) => ({ ...known, [name]: value }))
  const mint = async () => {
    const recipient = fields.recipient.trim()
    const { name, description } = fields
    const image = await storePicture(fields.image, file)
    const body = {
      recipient: recipient.includes('@')
        ? `email:${recipient}:${onChain.chain}`
        : `${onChain.chain}:${recipient}`,
      metadata: {
        name: name.trim(),
        image,
        ...(description.trim() && { description: description.trim() }),
      },
    }
    await once(body, (idempotencyKey) => mintNft(client, { collectionId, body, idempotencyKey }))
    say(s.minted)
    await readAgain('collection', collectionId)
  }
  return (
    <FormDialog
      label={s.mint}
      kind="primary"
      title={s.mint}
      text={s.mintText}
      action={s.mint}
      onOpen={open}
      run={mint}
    >
      <Field
        label={s.recipient}
        name="recipient"
        value={fields.recipient}
        onValue={set('recipient')}
        spellCheck={false}
      />
      <Field label={s.name} name="name" value={fields.name} onValue={set('name')} />
      <Field
        label={s.description}
        name="description"
        value={fields.description}
        onValue={set('description')}
      />
      <PictureFields url={fields.image} onUrl={set('image')} onFile={setFile} />
    </FormDialog>
  )
}
