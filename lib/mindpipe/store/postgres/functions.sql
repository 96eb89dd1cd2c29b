-- A body that is no text is bound when it is made, as a dump is read back without a search path.
CREATE FUNCTION json_valid(given text) RETURNS boolean IMMUTABLE STRICT PARALLEL SAFE
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM given::pg_catalog.json;
    RETURN true;
EXCEPTION WHEN invalid_text_representation THEN
    RETURN false;
END $$;
CREATE FUNCTION instr(text, text) RETURNS integer IMMUTABLE STRICT PARALLEL SAFE
LANGUAGE sql AS $$ SELECT strpos($1, $2) $$;
CREATE FUNCTION substr(given text, first bigint, size bigint) RETURNS text
IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql AS $$
    SELECT CASE WHEN size >= 0 THEN pg_catalog.substr(given,
            (CASE WHEN first < 0 THEN length(given) + first + 1 ELSE first END)::integer, size::integer)
        -- So many characters before the first one.
        ELSE pg_catalog.substr(given, (greatest(before + size, 0) + 1)::integer,
            least(before, -size)::integer) END
    FROM (SELECT CASE WHEN first < 0 THEN greatest(length(given) + first, 0)
        ELSE greatest(first - 1, 0) END AS before) AS place
$$;
CREATE FUNCTION substr(given text, first bigint) RETURNS text IMMUTABLE STRICT PARALLEL SAFE
LANGUAGE sql AS $$
    SELECT CASE WHEN first < 0 THEN right(given, least(-first, length(given))::integer)
        ELSE pg_catalog.substr(given, first::integer) END
$$;
-- Else the server's own would be taken for the numbers of a statement.
CREATE FUNCTION substr(text, integer, integer) RETURNS text IMMUTABLE STRICT PARALLEL SAFE
RETURN substr($1, $2::bigint, $3::bigint);
CREATE FUNCTION substr(text, integer) RETURNS text IMMUTABLE STRICT PARALLEL SAFE
RETURN substr($1, $2::bigint);
-- Only the letters of ASCII have another case, as on SQLite.
CREATE FUNCTION lower(text) RETURNS text IMMUTABLE STRICT PARALLEL SAFE
LANGUAGE sql AS $$ SELECT pg_catalog.lower($1 COLLATE "C") $$;
-- A text as JSON; a server's texts hold no NUL, instead of which the sign of what is lost is read.
CREATE FUNCTION json_read(given text) RETURNS json IMMUTABLE PARALLEL SAFE
LANGUAGE sql AS $$
    SELECT (CASE WHEN strpos(given, '\u0000') = 0 THEN given ELSE
        regexp_replace(given, '(?<!\\)((?:\\\\)*)\\u0000', '\1\\ufffd', 'g') END)::pg_catalog.json
$$;
CREATE FUNCTION json_member(given text, path text) RETURNS text IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE WHEN left(path, 2) = '$.'
    THEN json_read(given) #>> string_to_array(substr(path, 3), '.')
    ELSE json_read(given) OPERATOR(pg_catalog.->>) path END;
CREATE FUNCTION json_item(given text, place bigint) RETURNS text IMMUTABLE STRICT PARALLEL SAFE
RETURN json_read(given) OPERATOR(pg_catalog.->>) place::int;
CREATE OPERATOR ->> (LEFTARG = text, RIGHTARG = text, FUNCTION = json_member);
CREATE OPERATOR ->> (LEFTARG = text, RIGHTARG = bigint, FUNCTION = json_item);
CREATE FUNCTION json_each(given text, OUT key text, OUT value text) RETURNS SETOF record
IMMUTABLE STRICT PARALLEL SAFE ROWS 20 LANGUAGE plpgsql AS $$
BEGIN
    IF json_typeof(json_read(given)) = 'array' THEN
        RETURN QUERY SELECT (n - 1)::text, item FROM
            pg_catalog.json_array_elements_text(json_read(given)) WITH ORDINALITY AS e(item, n);
    ELSE
        RETURN QUERY SELECT e.key, e.value FROM pg_catalog.json_each_text(json_read(given)) AS e;
    END IF;
END $$;
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('mindpipe.unguarded', true) = 'on' THEN
        RETURN coalesce(NEW, OLD);
    END IF;
    RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', MESSAGE = TG_ARGV[0];
END $$;
CREATE UNLOGGED TABLE heard(
    xact xid8 NOT NULL DEFAULT pg_current_xact_id(),
    number BIGINT GENERATED ALWAYS AS IDENTITY,
    of_table TEXT NOT NULL,
    op TEXT NOT NULL,
    old TEXT,
    new TEXT,
    PRIMARY KEY (xact, number)
);
-- A replica of version 15 that takes its server's place has nothing of what is not logged.
ALTER SEQUENCE heard_number_seq SET LOGGED;
CREATE FUNCTION hear() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO heard(of_table, op, old, new) VALUES(TG_TABLE_NAME, TG_OP,
        CASE WHEN TG_OP <> 'INSERT' THEN row_to_json(OLD)::text END,
        CASE WHEN TG_OP <> 'DELETE' THEN row_to_json(NEW)::text END);
    RETURN NULL;
END $$;
CREATE FUNCTION json_type(given text, path text) RETURNS text IMMUTABLE STRICT PARALLEL SAFE
RETURN (
    SELECT CASE json_typeof(found) WHEN 'string' THEN 'text' WHEN 'boolean' THEN found::text
        WHEN 'number' THEN CASE WHEN found::text ~ '[.eE]' THEN 'real' ELSE 'integer' END
        ELSE json_typeof(found) END
    FROM (SELECT json_read(given) #> string_to_array(substr(path, 3), '.')) AS at(found)
);
CREATE FUNCTION json_of_texts(text[]) RETURNS text IMMUTABLE STRICT PARALLEL SAFE
LANGUAGE sql AS $$ SELECT array_to_json($1)::text $$;
CREATE AGGREGATE json_group_array(text) (
    SFUNC = array_append, STYPE = text[], INITCOND = '{}', FINALFUNC = json_of_texts
);
CREATE FUNCTION json_set(given text, VARIADIC changes text[]) RETURNS text IMMUTABLE PARALLEL SAFE
LANGUAGE plpgsql AS $$
DECLARE
    made jsonb := json_read(given)::jsonb;
BEGIN
    FOR place IN 1 .. cardinality(changes) BY 2 LOOP
        made := jsonb_set(made, string_to_array(pg_catalog.substr(changes[place], 3), '.'),
            coalesce(to_jsonb(changes[place + 1]), 'null'));
    END LOOP;
    RETURN made::text;
END $$;
-- Tells whether some trust what another list of sources does not, as none does that is cut short.
CREATE FUNCTION names_more(sources text, than text) RETURNS boolean IMMUTABLE STRICT PARALLEL SAFE
LANGUAGE sql AS $$
    SELECT NOT EXISTS(SELECT 1 FROM json_each(than) WHERE value = 'more:sources')
        AND EXISTS(SELECT value FROM json_each(sources) EXCEPT SELECT value FROM json_each(than))
$$;
-- A text in lower case, of letters and digits alone and without marks above them, as it is searched.
-- What knows the case of all letters depends on how the server was built.
DO $$
DECLARE
    knowing text := coalesce((SELECT min(collname) FROM pg_collation
        WHERE collname IN ('pg_c_utf8', 'und-x-icu')), 'default');
BEGIN
    EXECUTE format($made$
        CREATE FUNCTION bare_words(text) RETURNS text IMMUTABLE STRICT PARALLEL SAFE
        LANGUAGE sql AS $body$ SELECT regexp_replace(regexp_replace(
            normalize(pg_catalog.lower($1 COLLATE %1$I), NFD), '[\u0300-\u036f]+', '', 'g') COLLATE %1$I,
            '[^[:alnum:]]+', ' ', 'g') $body$
    $made$, knowing);
END $$;
-- The words of a message and their places; a server keeps so many of them at most.
CREATE FUNCTION words_of(text) RETURNS tsvector IMMUTABLE STRICT PARALLEL SAFE
RETURN to_tsvector('simple', left(bare_words($1), 250000));
-- What is sought by an expression of phrases in quotes, each with an asterisk or not, joined by AND.
CREATE FUNCTION words_sought(expression text) RETURNS tsquery IMMUTABLE STRICT PARALLEL SAFE
LANGUAGE plpgsql AS $$
DECLARE
    found tsquery;
    one tsquery;
    part text[];
BEGIN
    FOR part IN SELECT regexp_matches(expression, '"([^"]*)"(\*?)', 'g') LOOP
        one := phraseto_tsquery('simple', bare_words(part[1]));
        IF part[2] = '*' AND numnode(one) > 0 THEN
            one := (one::text || ':*')::tsquery;
        END IF;
        found := coalesce(found && one, one);
    END LOOP;
    RETURN found;
END $$;
-- The number behind the last one, as SQLite gives it, until sequences give them (numbers.sql).
CREATE FUNCTION next_number(of_table text, of_column text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    last bigint;
BEGIN
    EXECUTE format('SELECT max(%I) FROM %I', of_column, of_table) INTO last;
    RETURN coalesce(last, 0) + 1;
END $$;
