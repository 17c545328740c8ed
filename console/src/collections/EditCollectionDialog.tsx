import { updateCollection } from 'kassa/api'
import type { Collection } from 'kassa/schema'
import { useState } from 'react'
import { storePicture } from '../api/collections.js'
import { client } from '../api/console.js'
import { useReadAgain } from '../api/developers.js'
import { Field } from '../components/Field.js'
import { FormDialog } from '../components/FormDialog.js'
import { useToast } from '../components/Toast.js'
import { t } from '../messages/index.js'
import { PictureFields } from './PictureFields.js'

const s = t.collections

const read = ({ metadata, payments, supplyLimit }: Collection) => ({
  ...{ name: metadata.name ?? '', description: metadata.description ?? '' },
  ...{ imageUrl: metadata.imageUrl ?? '', price: payments?.price ?? '' },
  supplyLimit: supplyLimit === undefined ? '' : `${supplyLimit}`,
})

type Fields = ReturnType<typeof read>

/** Returns the change of a field, if there is one; an emptied field is removed. */
const changed = <Value,>(before: string, after: string, read: (text: string) => Value) => {
  if (before === after.trim()) return undefined
  return after.trim() ? read(after.trim()) : null
}

const same = (text: string) => text

/** Returns only what the reader has changed, so that nothing else is written. */
const listChanges = (before: Fields, after: Fields) => {
  const description = changed(before.description, after.description, same)
  const imageUrl = changed(before.imageUrl, after.imageUrl, same)
  const price = changed(before.price, after.price, same)
  const supplyLimit = changed(before.supplyLimit, after.supplyLimit, Number)
  const metadata = {
    ...(after.name.trim() !== before.name && { name: after.name.trim() }),
    ...(description !== undefined && { description }),
    ...(imageUrl !== undefined && { imageUrl }),
  }
  return {
    ...(Object.keys(metadata).length > 0 && { metadata }),
    // Without a price, the collection is not for sale.
    ...(price !== undefined && { payments: price === null ? null : { price } }),
    ...(supplyLimit !== undefined && { supplyLimit }),
  }
}

/** Renders a `<button>` that changes what may change of a collection. */
export const EditCollectionDialog = ({ collection }: { collection: Collection }) => {
  const [before, setBefore] = useState(() => read(collection))
  const [fields, setFields] = useState(before)
  const [file, setFile] = useState<File>()
  const say = useToast()
  const readAgain = useReadAgain()
  const open = () => {
    setBefore(read(collection))
    setFields(read(collection))
    setFile(undefined)
  }
  const set = (name: keyof Fields) => (value: string) => setFields((known) => ({ ...known, [name]: value }))
  const save = async () => {
    const imageUrl = await storePicture(fields.imageUrl, file)
    const body = listChanges(before, { ...fields, imageUrl })
    if (Object.keys(body).length) {
      await updateCollection(client, { collectionId: collection.id, body })
      say(s.saved)
    }
    await Promise.all([readAgain('collection', collection.id), readAgain('collections')])
  }
  return (
    <FormDialog label={s.edit} title={s.editTitle} action={s.save} onOpen={open} run={save}>
      <Field label={s.name} value={fields.name} onValue={set('name')} />
      <Field label={s.description} value={fields.description} onValue={set('description')} />
      <PictureFields url={fields.imageUrl} onUrl={set('imageUrl')} onFile={setFile} />
      <Field
        label={collection.payments?.currency ? s.priceIn(collection.payments.currency) : s.price}
        hint={s.priceText}
        inputMode="decimal"
        value={fields.price}
        onValue={set('price')}
      />
      <Field
        label={s.supplyLimit}
        inputMode="numeric"
        value={fields.supplyLimit}
        onValue={set('supplyLimit')}
      />
    </FormDialog>
  )
}
