-- One form of stored calls: the envelope of the response.
-- A parameter of these has another name.
drop function order_pay;
drop function order_create;
alter table idempotency_keys add column response json;
update idempotency_keys set response = case
  when answer is not null then answer::json
  else json_build_object(
    'code', 200,
    'message', case result ->> 'locale' when 'en' then 'OK' else '成功' end,
    'request_id', result ->> 'request_id',
    'data', result - 'request_id' - 'locale')
end;
alter table idempotency_keys alter column response set not null, drop column answer, drop column result;
