"""Decides whether a database may receive a token: where each driver connects, and whether it verifies the server.

What counts is what SQLAlchemy passes to the driver, after it has merged the URL's query and ``connect_args``. A driver
is listed here only if it refuses to go on without encryption when it was told to verify the server.

PyMySQL, aiomysql and asyncmy go on in clear text if the server doesn't offer TLS, whatever their ``ssl`` says. So these
drivers get a token only for a database on this machine.
"""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Callable, Optional

from .errors import LatchkeyError
from .origins import is_loopback


def _is_one_of(*values: object) -> Callable[[object], bool]:
    return lambda value: str(value).lower() in [str(each).lower() for each in values]


def _is_verifying(value: object) -> bool:
    """True for an SSLContext that checks the certificate and the server's name."""
    return isinstance(value, ssl.SSLContext) and value.verify_mode == ssl.CERT_REQUIRED and value.check_hostname


@dataclass(frozen=True)
class Requirement:
    """A parameter that makes the driver verify the server."""

    is_met: Callable[[object], bool]
    # The value to set if the caller gives none; None if the driver's own default is safe.
    make: Optional[Callable[[], object]]
    shown: str
    # SECURITY: replaces an accepted value, such as the text "yes" in a URL, which a driver could read differently.
    spelling: object = None


@dataclass(frozen=True)
class Driver:
    # The parameters that say where the driver connects. The first one is required.
    hosts: tuple[str, ...]
    # SECURITY: no parameters except these are passed on, because an unknown one could name another server.
    others: frozenset[str]
    verified: Mapping[str, Requirement]
    # False if the driver speaks HTTP, because the environment's proxy settings could lead the request elsewhere.
    may_be_plain_on_loopback: bool = True
    # False if no parameter can force the driver to use verified TLS.
    can_verify: bool = True
    # Turns the token into the value that the driver expects.
    wrap: Callable[[str], object] = field(default=lambda token: token)


def _value(value: object) -> Requirement:
    return Requirement(_is_one_of(value), lambda: value, str(value), value)


def _default(value: object) -> Requirement:
    return Requirement(_is_one_of(value), None, str(value), value)


_TRUE = Requirement(_is_one_of(True, 1, "yes", "on"), lambda: True, "True", True)
# True isn't accepted, because pg8000 then verifies nothing.
_CONTEXT = Requirement(_is_verifying, ssl.create_default_context, "ssl.create_default_context()")
# asyncpg reads a text as libpq reads sslmode, and True as a context that verifies.
_CONTEXT_OR_MODE = Requirement(
    lambda value: _is_verifying(value) or value is True or value == "verify-full",
    ssl.create_default_context,
    _CONTEXT.shown,
)


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS
# Left out: `service` and `dsn`, which name other servers; `requiressl`, which overrides sslmode; and `sslkeylogfile`.
_LIBPQ = Driver(
    hosts=("host", "hostaddr"),
    others=_names(
        """port dbname database user password passfile require_auth channel_binding connect_timeout client_encoding
        options application_name fallback_application_name keepalives keepalives_idle keepalives_interval
        keepalives_count tcp_user_timeout replication sslnegotiation sslcompression sslcert sslkey sslpassword
        sslcertmode sslrootcert sslcrl sslcrldir sslsni requirepeer ssl_min_protocol_version ssl_max_protocol_version
        min_protocol_version max_protocol_version krbsrvname gsslib gssdelegation target_session_attrs
        load_balance_hosts connection_factory cursor_factory async async_ row_factory prepare_threshold autocommit
        context"""
    ),
    # With a Kerberos ticket, libpq tries GSSAPI first, and then ignores sslmode.
    verified={"sslmode": _value("verify-full"), "gssencmode": _value("disable")},
)

_MYSQL = "user password port database charset collation use_unicode sql_mode init_command autocommit connect_timeout"


_PYMYSQL = Driver(
    hosts=("host",),
    others=_names(_MYSQL + " passwd db read_timeout write_timeout client_flag conv cursorclass local_infile ssl"),
    verified={},
    can_verify=False,
)


def _trino_token(token: str) -> object:
    from trino.auth import JWTAuthentication

    return JWTAuthentication(token)


DRIVERS: Mapping[str, Driver] = {
    # https://www.psycopg.org/docs/module.html#psycopg2.connect,
    # https://www.psycopg.org/psycopg3/docs/api/connections.html
    "psycopg2": _LIBPQ,
    "psycopg2cffi": _LIBPQ,
    "psycopg": _LIBPQ,
    # https://magicstack.github.io/asyncpg/current/api/index.html#asyncpg.connection.connect
    "asyncpg": Driver(
        hosts=("host",),
        others=_names(
            """port user password passfile database timeout command_timeout statement_cache_size
            max_cached_statement_lifetime max_cacheable_statement_size direct_tls connection_class record_class
            server_settings target_session_attrs krbsrvname gsslib loop prepared_statement_cache_size
            prepared_statement_name_func async_fallback"""
        ),
        verified={"ssl": _CONTEXT_OR_MODE},
    ),
    # https://github.com/tlocke/pg8000#pg8000dbapiconnect
    "pg8000": Driver(
        hosts=("host",),
        others=_names(
            "port user password database source_address timeout tcp_keepalive application_name replication"
        ),
        verified={"ssl_context": _CONTEXT},
    ),
    # https://github.com/aws/amazon-redshift-python-driver#connection-parameters
    "redshift_connector": Driver(
        hosts=("host",),
        others=_names("port user password database timeout application_name tcp_keepalive max_prepared_statements"),
        verified={"ssl": _TRUE, "sslmode": _value("verify-full")},
    ),
    "pymysql": _PYMYSQL,
    "aiomysql": _PYMYSQL,
    "asyncmy": _PYMYSQL,
    # https://mysqlclient.readthedocs.io/user_guide.html#functions-and-attributes
    "mysqldb": Driver(
        hosts=("host",),
        others=_names(
            _MYSQL + """ passwd db read_timeout write_timeout client_flag conv cursorclass compress local_infile
            auth_plugin ssl"""
        ),
        verified={"ssl_mode": _value("VERIFY_IDENTITY")},
    ),
    # https://dev.mysql.com/doc/connector-python/en/connector-python-connectargs.html
    "mysqlconnector": Driver(
        hosts=("host",),
        others=_names(
            _MYSQL + """ connection_timeout time_zone client_flags compress buffered raw consume_results get_warnings
            raise_on_warnings use_pure converter_class auth_plugin force_ipv6 pool_reset_session conn_attrs ssl_ca
            ssl_cert ssl_key ssl_cipher tls_versions tls_ciphersuites"""
        ),
        verified={"ssl_verify_cert": _TRUE, "ssl_verify_identity": _TRUE, "ssl_disabled": _default(False)},
    ),
    # https://mariadb-corporation.github.io/mariadb-connector-python/module.html
    "mariadbconnector": Driver(
        hosts=("host",),
        others=_names(
            _MYSQL + """ username passwd db read_timeout write_timeout client_flag compress local_infile converter
            ssl_ca ssl_capath ssl_cert ssl_key ssl_cipher ssl_crl ssl_crlpath tls_version"""
        ),
        verified={"ssl": _TRUE, "ssl_verify_cert": _TRUE},
    ),
    # https://docs.snowflake.com/en/developer-guide/python-connector/python-connector-api
    # `authenticator` must be one of three values, because the driver would send the password to an address given there.
    "snowflake": Driver(
        hosts=("host",),
        others=_names(
            """account port user password token database schema warehouse role autocommit timezone application
            session_parameters client_session_keep_alive login_timeout network_timeout socket_timeout numpy"""
        ),
        verified={
            "protocol": _value("https"),
            "authenticator": Requirement(_is_one_of("oauth", "snowflake", "programmatic_access_token"), None, "oauth"),
        },
        may_be_plain_on_loopback=False,
    ),
    # https://docs.databricks.com/dev-tools/python-sql-connector: always https with verification.
    "databricks": Driver(
        hosts=("server_hostname",),
        others=_names("access_token http_path catalog schema use_inline_params user_agent_entry session_configuration"),
        verified={},
        may_be_plain_on_loopback=False,
    ),
    # https://github.com/trinodb/trino-python-client. Other dialects call their drivers `rest`, too.
    "trino+rest": Driver(
        hosts=("host",),
        others=_names(
            """auth port user catalog schema source session_properties client_tags roles timezone request_timeout
            max_attempts isolation_level"""
        ),
        verified={"http_scheme": _value("https"), "verify": _default(True)},
        may_be_plain_on_loopback=False,
        wrap=_trino_token,
    ),
}


def driver_of(dialect: Any) -> Optional[Driver]:
    return DRIVERS.get(f"{dialect.name}+{dialect.driver}", DRIVERS.get(dialect.driver))


def check_parameters(
    driver: Driver,
    given: Mapping[str, Any],
    environ: Mapping[str, str],
    allowed: frozenset[str],
    libpq_version: int = 0,
) -> dict[str, Any]:
    """The parameters to connect with. Raises LatchkeyError if they could send the token to another server."""
    parameters = {name: value for name, value in given.items() if value is not None}
    if driver is _LIBPQ:
        _add_environment(parameters, environ, libpq_version)
    unknown = set(parameters) - driver.others.union(driver.hosts, driver.verified)
    if unknown:
        raise unknown_parameters(unknown)
    # SECURITY: some drivers just append the port to the host, so a port that isn't a number could name another host.
    if re.fullmatch(r"[\d, \[\]]*", str(parameters.get("port", ""))) is None:
        raise unknown_parameters(["port"])
    hosts = [host for name in driver.hosts for host in hosts_in(parameters.get(name))]
    check_hosts(hosts if driver.hosts[0] in parameters else [""], allowed)
    unmet = []
    for name, requirement in driver.verified.items():
        if name not in parameters or not requirement.is_met(parameters[name]):
            unmet.append(name)
        elif requirement.spelling is not None:
            parameters[name] = requirement.spelling
    if driver.may_be_plain_on_loopback and all(is_loopback(host) for host in hosts):
        if unmet or not driver.can_verify:
            _pin_localhost(driver, parameters, hosts)
        return parameters
    if not driver.can_verify:
        raise not_verified("another driver, such as mysql+mysqldb or mysql+mysqlconnector")
    for name in unmet:
        requirement = driver.verified[name]
        # SECURITY: over a network, the token goes only to a server whose certificate the driver verifies.
        if name in parameters:
            raise not_verified(f"{name}={requirement.shown}")
        if requirement.make is not None:
            parameters[name] = requirement.make()
    return parameters


def _add_environment(parameters: dict[str, Any], environ: Mapping[str, str], libpq_version: int) -> None:
    """Adds the values that libpq would take from the environment, so that they are checked, too."""
    # SECURITY: a service file can name any server.
    if "PGSERVICE" in environ:
        raise unknown_parameters(["PGSERVICE"])
    for name, variable in (("host", "PGHOST"), ("hostaddr", "PGHOSTADDR"), ("sslrootcert", "PGSSLROOTCERT")):
        if not parameters.get(name) and environ.get(variable):
            parameters[name] = environ[variable]
    # SECURITY: before version 16, libpq reads a file `system` in the current folder, which can be another user's.
    if parameters.get("sslrootcert") == "system" and libpq_version < 160_000:
        raise not_verified("sslrootcert=FILE, because this libpq is too old for sslrootcert=system")


def _pin_localhost(driver: Driver, parameters: dict[str, Any], hosts: list[str]) -> None:
    """SECURITY: another user could listen on [::1] at the port of a service that listens on 127.0.0.1."""
    if "localhost" not in hosts or parameters.get("hostaddr"):
        return
    pinned = ["127.0.0.1" if host == "localhost" else host for host in hosts]
    if "hostaddr" in driver.hosts:
        parameters["hostaddr"] = ",".join(pinned)
    else:
        name = driver.hosts[0]
        parameters[name] = pinned[0] if isinstance(parameters[name], str) else pinned


def hosts_in(value: object) -> list[str]:
    """The hosts in a list or in a text with commas. An empty host stands for the driver's default."""
    several = value if isinstance(value, (list, tuple)) else [] if value is None else str(value).split(",")
    return [str(each).lower().rstrip(".").strip("[]") for each in several]


def check_hosts(hosts: Iterable[str], allowed: frozenset[str]) -> None:
    foreign = [host for host in hosts if host not in allowed]
    if foreign:
        raise LatchkeyError(
            "foreign_host",
            f"The token isn't sent to {foreign[0] or 'a database without a host'}, only to "
            f"{', '.join(sorted(allowed)) or 'no host'}. Name another server in hosts to send it there.",
        )


# The list leaves out `failover_partner`, `serverspn`, `hostnameincertificate` and `servercertificate`, which allow
# another server. It also leaves out `authentication`, most of whose values send the password elsewhere.
# https://learn.microsoft.com/sql/connect/odbc/dsn-connection-string-attribute
_ODBC_KEYWORDS = _names(
    """driver server database uid encrypt trustservercertificate applicationintent multisubnetfailover app wsid
    language mars_connection autotranslate quotedid ansinpw regional transparentnetworkipresolution connectretrycount
    connectretryinterval keepalive keepaliveinterval longasmax usefmtonly trusted_connection"""
)
_ODBC_PARAMETERS = _names("autocommit ansi unicode_results timeout readonly encoding")
_ODBC_PAIR = re.compile(r"\s*([\w ]+?)\s*=\s*(\{(?:[^}]|\}\})*\}|[^;{}]*?)\s*(?:;|$)")


def check_odbc(text: object, given: Mapping[str, Any], token: str, allowed: frozenset[str]) -> str:
    """The connection string with the token, for Microsoft's driver for SQL Server."""
    pairs = _odbc_pairs(str(text))
    unknown = (set(pairs) - _ODBC_KEYWORDS) | (set(given) - _ODBC_PARAMETERS)
    if unknown:
        raise unknown_parameters(unknown)
    version = re.fullmatch(r"\{?ODBC Driver (\d+) for SQL Server\}?", pairs.get("driver", ""))
    if version is None:
        raise not_verified("DRIVER={ODBC Driver 18 for SQL Server}")
    # `tcp:host\instance,port`
    server = re.fullmatch(r"(?:tcp:)?([\w.:\[\]-]+?)(?:\\[\w$]+)?(?:,\d+)?", pairs.get("server", "").strip("{}"), re.I)
    hosts = hosts_in(server[1] if server else "")
    check_hosts(hosts, allowed)
    added = ""
    # The driver can't be told to connect to localhost at 127.0.0.1, so localhost needs encryption, too.
    if not all(is_loopback(host) and host != "localhost" for host in hosts):
        for name, default, accepted in (
            # The driver ignores a value that it doesn't know, and before version 18 then encrypts nothing.
            ("encrypt", "yes", ("yes", "mandatory", "strict") if int(version[1]) >= 18 else ("yes",)),
            ("trustservercertificate", "no", ("no",)),
        ):
            # SECURITY: over a network, the token goes only to a server whose certificate the driver verifies.
            if pairs.get(name, default).strip("{}").lower() not in accepted:
                raise not_verified(f"{name}={default}")
            if name not in pairs:
                added += f"{name}={default};"
    # SECURITY: without braces, a semicolon in the token would start another keyword.
    password = token.replace("}", "}}")
    return f"{str(text).rstrip().rstrip(';')};{added}PWD={{{password}}}"


def _odbc_pairs(text: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    at = 0
    while at < len(text.rstrip("; ")):
        pair = _ODBC_PAIR.match(text, at)
        # SECURITY: the driver could read a pair that is unclear, or that comes twice, differently from this code.
        if pair is None or pair[1].lower() in pairs:
            raise unknown_parameters(["its connection string"])
        pairs[pair[1].lower()] = pair[2]
        at = pair.end()
    return pairs


def unknown_parameters(names: Iterable[str]) -> LatchkeyError:
    return LatchkeyError(
        "unknown_parameter",
        f"The token isn't sent, because {', '.join(sorted(names))} could lead it to another server. Name the server "
        "by host and port, in the database's URL or in connect_args.",
    )


def not_verified(needed: str) -> LatchkeyError:
    return LatchkeyError(
        "not_verified",
        f"The token isn't sent, because the driver wouldn't verify the server's certificate. Connect with {needed}.",
    )


def unknown_driver(name: str) -> LatchkeyError:
    return LatchkeyError(
        "unknown_driver",
        f"The token isn't sent, because Latchkey doesn't know how the driver {name} verifies a server. If you have made "
        f"sure that it does, write use_token(engine, unchecked_driver={name!r}).",
    )
