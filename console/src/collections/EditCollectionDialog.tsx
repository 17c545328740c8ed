import { updateCollection } from 'kassa/api'
import type { Collection } from 'kassa/schema'
import { useState } from 'react'
import { storePicture } from '../api/collections.js'
import { client } from '../api/console.js'
import { useReadAgain } from '../api/developers.js'
import { Field, OptionalField } from '../components/Field.js'
import { FormDialog } from '../components/FormDialog.js'
import { useToast } from '../components/Toast.js'
import { numbers } from '../lib/numbers.js'
import { readFields } from '../lib/readFields.js'
import { t } from '../messages/index.js'
import { PictureFields } from './PictureFields.js'

const s = t.collections

const read = ({ metadata, payments, supplyLimit }: Collection) => ({
  name: metadata.name ?? '',
  description: metadata.description ?? '',
  imageUrl: metadata.imageUrl ?? '',
  price: payments ? numbers.write(payments.price) : null,
  supplyLimit: supplyLimit === undefined ? null : numbers.write(`${supplyLimit}`),
})

type Fields = ReturnType<typeof read>

/** Returns the change of a text, if there is one; an emptied text is removed. */
const changed = (before: string, after: string) => {
  if (before === after.trim()) return undefined
  return after.trim() || null
}

/** Returns only what the reader has changed, so that nothing else is written. */
const listChanges = (before: Fields, after: Fields) => {
  const description = changed(before.description, after.description)
  const imageUrl = changed(before.imageUrl, after.imageUrl)
  const { price, supplyLimit } = readFields((reader) => ({
    price: after.price === null ? null : reader.amount('price', after.price, { none: s.notForSale }),
    supplyLimit: reader.limit('supplyLimit', after.supplyLimit),
  }))
  const metadata = {
    ...(after.name.trim() !== before.name && { name: after.name.trim() }),
    ...(description !== undefined && { description }),
    ...(imageUrl !== undefined && { imageUrl }),
  }
  return {
    ...(Object.keys(metadata).length > 0 && { metadata }),
    // Without a price, the collection is not for sale.
    ...(before.price !== after.price && { payments: price === null ? null : { price } }),
    ...(before.supplyLimit !== after.supplyLimit && { supplyLimit }),
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
  const set =
    <Name extends keyof Fields>(name: Name) =>
    (value: Fields[Name]) =>
      setFields((known) => ({ ...known, [name]: value }))
  const save = async () => {
    // A picture is stored only if the rest of the form can be read.
    listChanges(before, fields)
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
      <Field label={s.name} name="name" value={fields.name} onValue={set('name')} />
      <Field
        label={s.description}
        name="description"
        value={fields.description}
        onValue={set('description')}
      />
      <PictureFields url={fields.imageUrl} onUrl={set('imageUrl')} onFile={setFile} />
      <OptionalField
        name="price"
        none={s.notForSale}
        label={collection.payments?.currency ? s.priceIn(collection.payments.currency) : s.price}
        hint={s.priceText}
        inputMode="decimal"
        value={fields.price}
        onValue={set('price')}
      />
      <OptionalField
        name="supplyLimit"
        label={s.supplyLimit}
        hint={t.noLimitText}
        none={t.noLimit}
        inputMode="numeric"
        value={fields.supplyLimit}
        onValue={set('supplyLimit')}
      />
    </FormDialog>
  )
}
