import type { WebKernel } from '@stoa/sdk/kernel/web'
import { KernelContext, RouterContext } from '@stoa/sdk/kernel/web'
import { Avatar } from '@stoa/sdk/ui/avatar'
import { Badge } from '@stoa/sdk/ui/badge'
import { Button, ButtonLink, IconButton } from '@stoa/sdk/ui/button'
import { Chip } from '@stoa/sdk/ui/chip'
import { ConfirmDialog, Dialog } from '@stoa/sdk/ui/dialog'
import { EmptyState } from '@stoa/sdk/ui/empty'
import { Checkbox, RadioGroup, Select, Switch, TextArea, TextField } from '@stoa/sdk/ui/field'
import type { FormValue } from '@stoa/sdk/ui/form'
import { SchemaForm } from '@stoa/sdk/ui/form'
import { Menu } from '@stoa/sdk/ui/menu'
import { Notice } from '@stoa/sdk/ui/notice'
import { Count } from '@stoa/sdk/ui/number'
import { PageTitle, Row, Section, Stack } from '@stoa/sdk/ui/page'
import { Pagination } from '@stoa/sdk/ui/pagination'
import { Progress } from '@stoa/sdk/ui/progress'
import { Prose } from '@stoa/sdk/ui/prose'
import { SaveBar } from '@stoa/sdk/ui/save-bar'
import { SkeletonRows } from '@stoa/sdk/ui/skeleton'
import { Spinner } from '@stoa/sdk/ui/spinner'
import { Table } from '@stoa/sdk/ui/table'
import { TabLinks, Tabs } from '@stoa/sdk/ui/tabs'
import { Time } from '@stoa/sdk/ui/time'
import { ToastRegion } from '@stoa/sdk/ui/toast-region'
import { createInstance } from 'i18next'
import { useState } from 'react'
import type { To } from 'react-router-dom'
import { createPath, Router } from 'react-router-dom'
import '../tokens.css'
import '../base.css'
import en from '../texts.en_US.json' with { type: 'json' }
import zh from '../texts.zh_CN.json' with { type: 'json' }

const i18n = createInstance()
void i18n.init({ resources: { zh_CN: { core: zh }, en_US: { core: en } }, lng: 'dev', load: 'currentOnly', initAsync: false })

export interface KitPageProps {
  language: string
  /** Unix seconds of the moment that is shown. */
  at: number
  /** Path and query of the page. */
  address: string
}

/** Every component once, the way pages use them. Rendered on the server, then taken over by the browser. */
export function KitPage({ language, at, address }: KitPageProps) {
  const [here, go] = useState(address)
  const { pathname, search, hash } = new URL(here, 'http://kit')
  const location = { pathname, search, hash, state: null, key: here }
  const t = i18n.getFixedT(language, 'core')
  const about = { useText: () => t, useLanguage: () => language, useTimeZone: () => 'Asia/Shanghai', useSite: () => ({}) }
  const kernel = { ...about, renderedAt: at + 3.5 * 3600 } as unknown as WebKernel
  return (
    <KernelContext value={kernel}>
      <Router
        location={location}
        navigator={{ createHref: hrefOf, push: (to) => go(hrefOf(to)), replace: (to) => go(hrefOf(to)), go() {} }}
      >
        <RouterContext value={{ location, navigator: { location, push: go, replace: go, go() {} } }}>
          <main>
            <PageTitle text="One sentence of purpose." actions={<ButtonLink to="/write">Write</ButtonLink>}>
              The kit
            </PageTitle>
            <Stack>
              <Pressing />
              <Fields />
              <Schema />
              <Showing at={at} />
              <Reading />
            </Stack>
          </main>
        </RouterContext>
      </Router>
    </KernelContext>
  )
}

const hrefOf = (to: To) => (typeof to === 'string' ? to : createPath(to))

function Pressing() {
  const [open, setOpen] = useState('')
  const [done, setDone] = useState('nothing')
  const [tab, setTab] = useState('one')
  const [toasts, setToasts] = useState<{ id: number; text: string; tone: 'success' | 'danger' }[]>([])
  const say = (tone: 'success' | 'danger') => setToasts((all) => [...all, { id: all.length, text: `It was a ${tone}`, tone }])
  return (
    <Section title="Pressing">
      <output>{done}</output>
      <Row>
        <Button onClick={() => setOpen('dialog')}>Open dialog</Button>
        <Button variant="danger" onClick={() => setOpen('confirm')}>
          Ask
        </Button>
        <Button variant="primary" busy onClick={() => setDone('pressed while busy')}>
          Busy
        </Button>
        <Button onClick={() => say('success')}>Succeed</Button>
        <Button onClick={() => say('danger')}>Fail</Button>
        <Button onClick={() => setOpen('passing')}>In passing</Button>
        <IconButton icon="star" label="Mark" pressed />
        <Menu
          label="Actions"
          items={[
            { label: 'Edit', icon: 'pencil', to: '/edit' },
            { label: 'Close', onSelect: () => setDone('closed') },
            { label: 'Report', disabled: true, onSelect: () => setDone('reported') },
            'separator',
            { label: 'Delete', tone: 'danger', onSelect: () => setOpen('confirm') },
          ]}
        />
      </Row>
      <Tabs
        label="Parts"
        value={tab}
        onChange={setTab}
        tabs={['one', 'two', 'three'].map((id) => ({ id, label: `Tab ${id}`, panel: `Panel ${id}` }))}
      />
      <Dialog open={open === 'dialog'} onClose={() => setOpen('')} title="A dialog" actions={<Button>Send</Button>}>
        <TextField label="Inside" />
      </Dialog>
      {open === 'passing' && <Dialog open onClose={() => setOpen('')} title="A passing dialog" />}
      <ConfirmDialog
        open={open === 'confirm'}
        tone="danger"
        title="Delete it?"
        text="It cannot be undone."
        confirm="Delete now"
        onConfirm={() => {
          setDone('deleted')
          setOpen('')
        }}
        onCancel={() => setOpen('')}
      />
      <ToastRegion toasts={toasts} durationMs={60_000} onClose={(id) => setToasts((all) => all.filter((toast) => toast.id !== id))} />
    </Section>
  )
}

function Fields() {
  const [on, setOn] = useState(false)
  return (
    <Section title="Fields">
      <TextField label="Name" required help="As others see it." placeholder="Li Lei" />
      <TextField label="E-mail" error="Write the whole address." defaultValue="li@" />
      <TextArea label="Text" />
      <Select label="Order" options={[{ value: 'new', label: 'Newest' }]} />
      <Checkbox label="Remember me" help="On this device." />
      <Switch label="Sign-up" checked={on} onChange={setOn} />
      <RadioGroup label="Colours" value="light" options={[{ value: 'light', label: 'Light' }]} error="Choose another." />
      <SaveBar changes={2} error="" onDiscard={() => setOn(false)} />
    </Section>
  )
}

function Schema() {
  const [value, setValue] = useState<FormValue>({})
  return (
    <Section title="Schema">
      <SchemaForm
        value={value}
        onChange={setValue}
        errors={{ endpoint: 'It must not be empty.' }}
        onUpload={async (_, file) => `/uploads/${file.name}`}
        fields={[
          { name: 'start', type: 'legend', title: 'Connection', description: 'Where it is.' },
          { name: 'endpoint', type: 'input', title: 'Endpoint', required: true },
          { name: 'key', type: 'input', title: 'Key', secret: true, value: '******' },
          { name: 'note', type: 'textarea', title: 'Note' },
          {
            name: 'mode',
            type: 'select',
            title: 'Mode',
            value: 'b',
            options: [
              { label: 'A', value: 'a' },
              { label: 'B', value: 'b' },
            ],
          },
          { name: 'pick', type: 'radio', title: 'Pick', options: [{ label: 'Red', value: 'red' }] },
          { name: 'agree', type: 'checkbox', title: 'Agree' },
          {
            name: 'kinds',
            type: 'checkbox',
            title: 'Kinds',
            value: ['x'],
            options: [
              { label: 'X', value: 'x' },
              { label: 'Y', value: 'y' },
            ],
          },
          { name: 'live', type: 'switch', title: 'Live', value: true },
          { name: 'zone', type: 'timezone', title: 'Zone', value: 'Asia/Shanghai' },
          { name: 'tags', type: 'tag_selector', title: 'Topics', value: [{ slug_name: 'node', tag_id: '7' }] },
          { name: 'logo', type: 'upload', title: 'Logo' },
          { name: 'sync', type: 'button', title: 'Sync', ui_options: { text: 'Sync now' } },
        ]}
      />
      <output>{JSON.stringify(value)}</output>
    </Section>
  )
}

function Showing({ at }: { at: number }) {
  return (
    <Section title="Showing">
      <TabLinks
        label="Orders"
        items={[
          { to: '/list', label: 'Newest', count: 12 },
          { to: '/list?order=hot', label: 'Hot' },
        ]}
      />
      <Row>
        <Avatar name="李雷" />
        <Avatar name="Ada" src="/none.png" alt="Ada" />
        <Badge tone="success" icon="check">
          Accepted
        </Badge>
        <Chip name="node" to="/tags/node" />
        <Chip name="news" to="/tags/news" look="guarded" />
        <Chip name="draft" onRemove={() => {}} />
        <Time at={at} />
        <Time at={at + 3.5 * 3600} phrase={(time) => `Posted ${time}`} />
        <Count value={12_345} label="views" />
        <Spinner label="Loading" />
      </Row>
      <Notice tone="warning" title="Waiting" onClose={() => {}}>
        It is reviewed.
      </Notice>
      <Progress label="Import" value={0.5} />
      <Table
        caption="People"
        rows={['Ada', 'Li']}
        rowKey={(name) => name}
        columns={[
          { key: 'name', label: 'Name', header: true, render: (name) => name },
          { key: 'length', label: 'Length', align: 'end', render: (name) => name.length },
        ]}
      />
      <Pagination page={3} pageSize={10} total={95} />
      <EmptyState title="Nothing here" text="What this is for." action={<Button>Begin</Button>} />
      <SkeletonRows rows={1} />
    </Section>
  )
}

function Reading() {
  return (
    <Section title="Reading">
      <Prose html='<p>Text with <a href="/x">a link</a>.</p><pre><code>const answer = 42</code></pre><ul><li><input type="checkbox" disabled aria-label="to do"> task</li></ul><table><tr><th>A</th></tr><tr><td>1</td></tr></table>' />
    </Section>
  )
}
