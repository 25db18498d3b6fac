create table item(id integer primary key, name text not null, price real, tags text);
create index by_price on item(price);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
  insert into item(name, price, tags)
  select 'item ' || i, (i * 7919 % 1000) / 8.0, case i % 3 when 0 then 'red,big' when 1 then 'blue' end from n;
select count(*), sum(price), avg(price), min(name), max(name) from item;
select tags, count(*) as many, round(total(price), 2) as sum from item group by tags having many > 10 order by 2 desc, 1;
select a.name, b.name from item a join item b on a.price = b.price and a.id < b.id order by a.id limit 3;
update item set price = price * 1.1 where name like '%7%' and id % 2 = 0;
delete from item where price between 20 and 30;
select count(*), printf('%.3f', sum(price)) from item;
select name, rank() over (order by price desc) as place from item order by place, name limit 5;
select upper(substr(name, 3)), hex(name), length(tags), coalesce(tags, '-') from item where id in (3, 5, 7);
begin; insert into item(name) values ('gone'); rollback;
create view cheap as select * from item where price < 5;
select count(*) from cheap;
create trigger after_insert after insert on item begin update item set tags = 'new' where id = new.id; end;
insert into item(name, price) values ('late', 0.5);
select * from item where name = 'late';
select json_extract('{"a": [1, 2, {"b": 3.5}]}', '$.a[2].b'), json_array_length('[1, 2, 3]');
select group_concat(x, '|') from (select distinct tags as x from item order by x);
select 9223372036854775807 + 1, 7 / 2, -7 % 3, 1e308 * 10, 'a' < 'b', null is null;
explain query plan select * from item where price > 3;
pragma integrity_check;
