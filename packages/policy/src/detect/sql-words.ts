import { tableOf } from './bytes.ts';

/** Kinds of token in SQL. */
export const Token = {
  number: 1,
  text: 2,
  word: 3,
  variable: 4,
  logic: 5,
  compare: 6,
  arithmetic: 7,
  open: 8,
  close: 9,
  comma: 10,
  semicolon: 11,
  /** A comment up to the end. */
  comment: 12,
  dot: 13,
  not: 14,
  union: 15,
  select: 16,
  from: 17,
  statement: 18,
  order: 19,
  by: 20,
  having: 21,
  limit: 22,
  case: 23,
  when: 24,
  end: 25,
  into: 26,
  all: 27,
  constant: 28,
  where: 29,
  as: 30,
  other: 31,
  /** `==`, `=>`, `&&` beside `!`…: what SQL does not have, but program code does. */
  foreign: 32,
} as const;

/** Kinds of words that mean something in SQL, in any dialect. */
export const sqlWords: Record<string, number> = {};
tableOf(Token.logic, 'and or xor', sqlWords);
tableOf(
  Token.compare,
  'like rlike regexp between in is ilike similar glob match exists isnull notnull sounds',
  sqlWords,
);
tableOf(Token.arithmetic, 'div mod collate', sqlWords);
tableOf(Token.not, 'not binary any some prior', sqlWords);
tableOf(Token.union, 'union intersect except minus', sqlWords);
tableOf(Token.select, 'select', sqlWords);
tableOf(Token.from, 'from', sqlWords);
tableOf(
  Token.statement,
  'insert update delete drop create alter truncate exec execute declare waitfor shutdown merge replace call handler grant rename backup begin do copy attach if set load',
  sqlWords,
);
tableOf(Token.order, 'order group', sqlWords);
tableOf(Token.by, 'by', sqlWords);
tableOf(Token.having, 'having', sqlWords);
tableOf(Token.limit, 'limit offset procedure fetch rownum', sqlWords);
tableOf(Token.case, 'case', sqlWords);
tableOf(Token.when, 'when then else', sqlWords);
tableOf(Token.end, 'end', sqlWords);
tableOf(Token.into, 'into', sqlWords);
tableOf(Token.all, 'all distinct distinctrow top', sqlWords);
tableOf(Token.constant, 'null true false unknown', sqlWords);
tableOf(Token.where, 'where', sqlWords);
tableOf(Token.as, 'as', sqlWords);

/** Functions that wait, read files, call out or say what they should not; 8: no other language has one of that name. */
export const dangerousCalls: Record<string, number> = {};
tableOf(
  8,
  'pg_sleep pg_sleep_for xp_cmdshell xp_dirtree xp_fileexist xp_regread xp_subdirs sp_oacreate sp_executesql sys_eval sys_exec lo_import lo_export pg_read_file pg_ls_dir query_to_xml database_to_xml extractvalue updatexml randomblob load_extension dblink dblink_connect utl_inaddr utl_http httpuritype dbms_pipe dbms_lock dbms_ldap dbms_xmlgen ctxsys opendatasource openrowset fn_my_permissions',
  dangerousCalls,
);
tableOf(7, 'load_file benchmark make_set name_const is_srvrolemember has_dbaccess', dangerousCalls);
tableOf(
  5,
  'sleep group_concat string_agg sysdate ora_hash col_length gtid_subset polygon multipoint linestring json_keys st_latfromgeohash',
  dangerousCalls,
);
/** Functions that tell about the server or take texts apart: a sign only inside a query. */
tableOf(
  4,
  'version database user current_user session_user system_user schema db_name user_name host_name ascii substr substring substring_index mid ord char chr unhex hex concat concat_ws length len char_length bin ascii_str to_char cast convert if iif ifnull nullif coalesce exp floor rand row_count elt lpad left right instr strcmp greatest least bitand lower upper count last_insert_rowid sqlite_version current_setting array_to_string xmltype aes_decrypt uuid found_rows connection_id generate_series repeat reverse locate position field interval is_null nvl decode pow sqrt round typeof printf quote hextoraw rawtohex dump replicate space soundex substrb',
  dangerousCalls,
);

/** Tables and views of database servers themselves. */
export const systemNames: Record<string, number> = {};
tableOf(
  7,
  'information_schema sysobjects syscolumns sysdatabases sysusers pg_catalog pg_user pg_shadow pg_tables pg_database pg_stat_activity sqlite_master sqlite_schema sqlite_temp_master all_tables all_tab_columns all_users user_tables user_tab_columns user_objects user_catalog dba_users dba_tables dba_objects msysaccessobjects msysobjects innodb_table_stats innodb_index_stats xp_cmdshell table_schema column_name table_name sysmaster systables syscat',
  systemNames,
);
tableOf(6, 'outfile dumpfile', systemNames);

/** What follows a statement's first word where it is one. */
export const statementFollowers: Record<string, number> = {};
tableOf(
  1,
  'into table from database schema user view procedure function index trigger ignore low_priority column set role login delay transaction program immediate temporary temp',
  statementFollowers,
);
