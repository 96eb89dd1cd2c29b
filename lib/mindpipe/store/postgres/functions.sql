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
CREATE FUNCTION substr(text, bigint, bigint) RETURNS text IMMUTABLE STRICT PARALLEL SAFE
LANGUAGE sql AS $$ SELECT pg_catalog.substr($1, $2::integer, $3::integer) $$;
CREATE FUNCTION substr(text, bigint) RETURNS text IMMUTABLE STRICT PARALLEL SAFE
LANGUAGE sql AS $$ SELECT pg_catalog.substr($1, $2::integer) $$;
CREATE FUNCTION json_member(given text, path text) RETURNS text IMMUTABLE STRICT PARALLEL SAFE
LANGUAGE sql AS $$
    SELECT CASE WHEN left(path, 2) = '$.'
        THEN given::pg_catalog.json #>> string_to_array(substr(path, 3), '.')
        ELSE given::pg_catalog.json OPERATOR(pg_catalog.->>) path END
$$;
CREATE FUNCTION json_item(given text, place bigint) RETURNS text IMMUTABLE STRICT PARALLEL SAFE
LANGUAGE sql AS $$ SELECT given::pg_catalog.json OPERATOR(pg_catalog.->>) place::int $$;
CREATE OPERATOR ->> (LEFTARG = text, RIGHTARG = text, FUNCTION = json_member);
CREATE OPERATOR ->> (LEFTARG = text, RIGHTARG = bigint, FUNCTION = json_item);
CREATE FUNCTION json_each(given text, OUT key text, OUT value text) RETURNS SETOF record
IMMUTABLE STRICT PARALLEL SAFE ROWS 20 LANGUAGE plpgsql AS $$
BEGIN
    IF json_typeof(given::pg_catalog.json) = 'array' THEN
        RETURN QUERY SELECT (n - 1)::text, item FROM
            pg_catalog.json_array_elements_text(given::pg_catalog.json) WITH ORDINALITY AS e(item, n);
    ELSE
        RETURN QUERY SELECT e.key, e.value FROM pg_catalog.json_each_text(given::pg_catalog.json) AS e;
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
    of_table TEXT NOT NULL, op TEXT NOT NULL, old TEXT, new TEXT,
    PRIMARY KEY (xact, number)
);
CREATE FUNCTION hear() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO heard(of_table, op, old, new) VALUES(TG_TABLE_NAME, TG_OP,
        CASE WHEN TG_OP <> 'INSERT' THEN row_to_json(OLD)::text END,
        CASE WHEN TG_OP <> 'DELETE' THEN row_to_json(NEW)::text END);
    RETURN NULL;
END $$;
