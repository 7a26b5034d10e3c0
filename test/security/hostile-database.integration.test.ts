import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { Database } from '../clients/database.ts'
import { ROOT } from '../clients/languages.ts'
import { PATH, requireProgram, run } from '../integration/cli/programs.ts'
import { TOKEN, ToolDesktop } from '../integration/cli/tool-desktop.ts'

let desktop: ToolDesktop
let database: Database
beforeEach(async () => {
  desktop = await ToolDesktop.start()
  database = await Database.start()
})

/**
 * Runs code with `connect(engine, **options)`, which prints a query's result, or why the query failed. The name
 * `data.example.com`, which seems to be another machine's, leads to the database on this machine.
 */
async function python(code: string, env: Record<string, string> = {}): Promise<string[]> {
  const { stdout, stderr } = await run([requireProgram('python3'), '-c', PREAMBLE + code], {
    env: {
      ...env,
      PATH,
      HOME: desktop.folder,
      LATCHKEY_SOCKET: desktop.socket,
      PORT: String(database.port),
      PYTHONPATH: path.join(ROOT, 'clients/python'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
  })
  expect(stderr).toBe('')
  return stdout.split('\n').slice(0, -1)
}

const PREAMBLE = `
import asyncio, os, socket
from sqlalchemy import create_engine
from latchkey_desktop import LatchkeyError, rejected, token, use_token
port = os.environ["PORT"]
resolve = socket.getaddrinfo
socket.getaddrinfo = lambda host, *more, **named: resolve("127.0.0.1" if host == "data.example.com" else host, *more, **named)
NETWORK = ["https://data.example.com"]
def connect(engine, **options):
    try:
        use_token(engine, **options)
        print(engine.connect().exec_driver_sql("SELECT 42").scalar())
    except LatchkeyError as error: print(error.code, error)
    except Exception as error: print(type(error).__name__, error)
def to(url, **arguments): return create_engine(url.replace("PORT", port), connect_args=arguments)
`

test('each database connection uses the current token', async () => {
  const lines = await python(`
engine = to("postgresql+psycopg2://ana@127.0.0.1:PORT/sales")
connect(engine)
rejected(token())
engine.dispose()
print(engine.connect().exec_driver_sql("SELECT 42").scalar())`)
  expect(lines).toEqual(['42', '42'])
  expect(database.passwords).toEqual([TOKEN, `${TOKEN}.1`])
})

test('an AsyncEngine gets the current token without blocking its event loop', async () => {
  const lines = await python(`
from sqlalchemy.ext.asyncio import create_async_engine
import latchkey_desktop.agent, threading
asking = latchkey_desktop.agent.Agent.token
def ask(*args, **named):
    print(threading.current_thread() is threading.main_thread())
    return asking(*args, **named)
latchkey_desktop.agent.Agent.token = ask
async def main():
    engine = create_async_engine(f"postgresql+asyncpg://ana@127.0.0.1:{port}/sales")
    use_token(engine)
    try: await engine.connect()
    except Exception as error: print(type(error).__name__)
asyncio.run(main())`)
  // The fake server doesn't know the queries that asyncpg sends next.
  expect(lines).toEqual(['False', 'ConnectionDoesNotExistError'])
  expect(database.passwords).toEqual([TOKEN])
})

const odbc = (text: string) => `mssql+pyodbc://@/?odbc_connect=${encodeURIComponent(text)}`

test('SECURITY: a database on an unknown host gets no token, wherever the host is named', async () => {
  const lines = await python(`
url = "postgresql+psycopg2://ana@127.0.0.1:PORT/sales"
connect(to(url.replace("127.0.0.1", "localhost")))
for query in ["host=localhost", "hostaddr=127.0.0.2", "host=127.0.0.1,", "host=/tmp"]: connect(to(f"{url}?{query}"))
connect(to("postgresql+psycopg2://ana@127.0.0.1/sales?host=127.0.0.1:1&host=localhost:2"))
connect(to(url, host="localhost"))
os.environ["PGHOSTADDR"] = "127.0.0.2"
connect(to(url))`)
  expect(lines).toEqual(Array(8).fill(expect.stringMatching(/^foreign_host The token isn't sent to /)))
  expect(database.passwords).toEqual([])
})

test('SECURITY: a database at localhost is reached only at 127.0.0.1', async () => {
  const lines = await python(`
seen = []
for query in ["", "?hostaddr=127.0.0.1"]:
    engine = to("postgresql+psycopg2://ana@localhost:PORT/sales" + query)
    own = engine.dialect.connect
    engine.dialect.connect = lambda *args, **named: (seen.append(named["hostaddr"]), own(*args, **named))[1]
    connect(engine, hosts=["http://localhost"])
print(seen)`)
  expect(lines).toEqual(['42', '42', "['127.0.0.1', '127.0.0.1']"])
})

test('SECURITY: a parameter that isn’t known to be harmless is refused', async () => {
  const refused = [
    ['postgresql+psycopg2://ana@127.0.0.1:PORT/sales?dsn=hostaddr%3D127.0.0.2', 'dsn'],
    ['postgresql+psycopg2://ana@127.0.0.1:PORT/sales?service=other', 'service'],
    ['postgresql+asyncpg://ana@127.0.0.1:PORT/sales?dsn=postgresql://127.0.0.2', 'dsn'],
    [odbc('DSN=other;SERVER=127.0.0.1'), 'dsn'],
    ['mssql+pyodbc://ana@other', 'dsn'],
    [odbc('SERVER=127.0.0.1;SERVER=other'), 'its connection string'],
    ['mysql+mysqldb://ana@127.0.0.1:PORT/sales?unix_socket=/tmp/other', 'unix_socket'],
  ]
  const lines = await python(`
for url in ${JSON.stringify(refused.map(([url]) => url))}: connect(to(url))
os.environ["PGSERVICE"] = "other"
connect(to("postgresql+psycopg2://ana@127.0.0.1:PORT/sales"))`)
  expect(
    lines.map((line) => /^unknown_parameter The token isn't sent, because (.*?)(?: could lead it|,)/.exec(line)?.[1]),
  ).toEqual([...refused.map(([, name]) => name), expect.stringMatching(/^PGSERVICE/)])
  expect(database.passwords).toEqual([])
})

test('SECURITY: no SQLAlchemy listener that is added after use_token() can change the server', async () => {
  const lines = await python(`
from sqlalchemy import event
engine = to("postgresql+psycopg2://ana@127.0.0.1:1/sales")
use_token(engine)
@event.listens_for(engine, "do_connect")
def change(dialect, record, args, parameters): parameters["port"] = port
try: engine.connect()
except Exception as error: print(type(error).__name__)`)
  expect(lines).toEqual(['OperationalError'])
  expect(database.passwords).toEqual([])
})

describe('over a network', () => {
  const URL = 'postgresql+psycopg2://ana@data.example.com:PORT/sales?hostaddr=127.0.0.1'
  const NAMED = 'hosts=[*NETWORK, "http://127.0.0.1"]'

  test('SECURITY: a server that refuses TLS and asks for the password gets no token', async () => {
    const lines = await python(`
from sqlalchemy.ext.asyncio import create_async_engine
connect(to("${URL}"), ${NAMED})
os.environ.update(PGSSLMODE="disable", PGGSSENCMODE="prefer", PGREQUIRESSL="0")
connect(to("${URL}"), ${NAMED})
async def main():
    engine = create_async_engine(f"postgresql+asyncpg://ana@data.example.com:{port}/sales")
    use_token(engine, hosts=NETWORK)
    try: await engine.connect()
    except Exception as error: print(error)
asyncio.run(main())`)
    const refusals = lines.filter((line) => /but SSL was required|rejected SSL upgrade/.test(line))
    expect(refusals, lines.join('\n')).toHaveLength(3)
    expect(database.passwords).toEqual([])
  })

  test('SECURITY: a connection whose server isn’t verified is refused', async () => {
    const refused = [
      [`${URL}&sslmode=require`, 'sslmode=verify-full'],
      [`${URL}&gssencmode=prefer`, 'gssencmode=disable'],
      ['postgresql+asyncpg://ana@data.example.com:PORT/sales?ssl=require', 'ssl=ssl.create_default_context()'],
      ['mysql+pymysql://ana@data.example.com:PORT/sales?ssl_ca=ca.pem', 'another driver'],
      ['mssql+pyodbc://ana@data.example.com/sales?driver=FreeTDS', 'DRIVER='],
    ] as const
    const lines = await python(`
import ssl
for url in ${JSON.stringify(refused.map(([url]) => url))}: connect(to(url), ${NAMED})
context = ssl.create_default_context()
context.check_hostname = False
connect(to("postgresql+asyncpg://ana@data.example.com:PORT/sales", ssl=context), hosts=NETWORK)`)
    expect(lines).toHaveLength(refused.length + 1)
    for (const [index, line] of lines.entries()) {
      expect(line).toMatch(/^not_verified The token isn't sent, because the driver wouldn't verify the server's/)
      expect(line).toContain(refused[index]?.[1] ?? '')
    }
    expect(database.passwords).toEqual([])
  })
})

/**
 * No Debian release has these drivers. Some accept several spellings of a value, and take a wrong value to mean no
 * encryption.
 */
describe('the rules for drivers that Debian lacks', () => {
  const HOST = { host: 'data.example.com' }
  const HERE = { host: '127.0.0.1' }
  const odbc18 = (rest: string) => ({ text: `DRIVER={ODBC Driver 18 for SQL Server};SERVER=${rest}` })
  const RULES: readonly (readonly [driver: string, given: object, outcome: string])[] = [
    ['snowflake', HERE, 'protocol=https'],
    ['snowflake', { ...HOST, insecure_mode: true }, 'unknown_parameter insecure_mode'],
    ['snowflake', { account: 'a' }, 'foreign_host a database without a host'],
    ['databricks', { server_hostname: 'data.example.com', http_path: '/sql' }, ''],
    ['databricks', { server_hostname: 'other.example.com' }, 'foreign_host other.example.com'],
    ['databricks', { server_hostname: 'data.example.com', _tls_no_verify: true }, 'unknown_parameter _tls_no_verify'],
    ['trino+rest', HERE, 'http_scheme=https'],
    ['trino+rest', { ...HOST, verify: false }, 'not_verified verify=True'],
    ['redshift_connector', { ...HOST, sslmode: 'verify-ca' }, 'not_verified sslmode=verify-full'],
    ['redshift_connector', { ...HOST, ssl: 'true', sslmode: 'VERIFY-FULL' }, 'ssl=True sslmode=verify-full'],
    ['pg8000', { ...HOST, ssl_context: true }, 'not_verified ssl_context='],
    ['pg8000', { ...HOST, unix_sock: '/tmp/other' }, 'unknown_parameter unix_sock'],
    ['mysqlconnector', HOST, 'ssl_verify_cert=True ssl_verify_identity=True'],
    ['mysqlconnector', { ...HOST, ssl_disabled: true }, 'not_verified ssl_disabled=False'],
    ['mariadbconnector', HOST, 'ssl=True ssl_verify_cert=True'],
    ['mariadbconnector', { ...HOST, ssl_verify_cert: false }, 'not_verified ssl_verify_cert=True'],
    ['pyodbc', odbc18('tcp:data.example.com\\a,1'), 'encrypt=yes trustservercertificate=no'],
    ['pyodbc', odbc18('data.example.com;Encrypt=no'), 'not_verified encrypt=yes'],
    ['pyodbc', odbc18('np:data.example.com'), 'foreign_host '],
    ['pyodbc', odbc18('{data.example.com;SERVER=other}'), 'foreign_host '],
    ['pyodbc', odbc18('data.example.com;FILEDSN=other'), 'unknown_parameter filedsn'],
  ]

  test('SECURITY: each driver verifies the server, and refuses what could lead the token to another server', async () => {
    const lines = await python(
      `
import json, re
from latchkey_desktop.databases import DRIVERS, check_odbc, check_parameters
for name, given, outcome in json.loads(os.environ["RULES"]):
    allowed = frozenset(["data.example.com", "127.0.0.1", "localhost"])
    try:
        if name == "pyodbc":
            made = check_odbc(given["text"], {}, "t", allowed)[len(given["text"]) + 1:]
            print(*made.replace("PWD={t}", "").split(";")[:-1])
        else:
            ready = check_parameters(DRIVERS[name], given, {}, allowed)
            print(*[f"{each}={ready[each]}" for each in sorted(ready) if repr(ready[each]) != repr(given.get(each))])
    except LatchkeyError as error: print(error.code, error)`,
      { RULES: JSON.stringify(RULES) },
    )
    expect(lines).toHaveLength(RULES.length)
    for (const [index, [driver, given, outcome]] of RULES.entries()) {
      const [code = '', ...rest] = outcome.split(' ')
      const line = lines[index] ?? ''
      const isMet =
        code.includes('_') && !code.includes('=')
          ? line.startsWith(`${code} `) && line.includes(rest.join(' '))
          : line === outcome
      expect({ driver, given, line, isMet }).toMatchObject({ isMet: true })
    }
  })
})

test('SECURITY: a driver that Latchkey doesn’t know gets a token only if the caller names it', async () => {
  const lines = await python(`
engine = to("sqlite://")
connect(engine)
engine.dialect.driver = "rest"
connect(engine)
engine.dialect.driver = "pysqlite"
try: use_token(engine, unchecked_driver="psycopg2")
except ValueError as error: print(error)
connect(to("postgresql+psycopg2://ana@127.0.0.1:PORT/sales?options=x"), unchecked_driver="psycopg2")
connect(to("postgresql+psycopg2://ana@127.0.0.1:PORT/sales?host=localhost"), unchecked_driver="psycopg2")`)
  expect(lines[0]).toMatch(
    /^unknown_driver The token isn't sent, because Latchkey doesn't know how the driver pysqlite/,
  )
  expect(lines[1]).toMatch(/^unknown_driver /)
  expect(lines[2]).toBe("the engine's driver is pysqlite, not psycopg2")
  expect(lines[3]).toBe('42')
  expect(lines[4]).toMatch(/^foreign_host /)
})
