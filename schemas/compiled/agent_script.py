"""Generated from schemas/agent-script.schema.json by scripts/generate.py with fastjsonschema: do not edit."""


class Invalid(Exception):
    """The data does not fit the schema."""


NoneType = type(None)

def validate(data):
    if not isinstance(data, dict):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data_keys = set(data.keys())
        if 'replies' in data_keys:
            data_keys.remove('replies')
            data__replies = data['replies']
            if not isinstance(data__replies, dict):
                raise Invalid
            data__replies_is_dict = isinstance(data__replies, dict)
            if data__replies_is_dict:
                data__replies_keys = set(data__replies.keys())
                for data__replies_key in data__replies_keys:
                    if data__replies_key not in []:
                        data__replies_value = data__replies.get(data__replies_key)
                        if not isinstance(data__replies_value, str):
                            raise Invalid
        if 'default' in data_keys:
            data_keys.remove('default')
            data__default = data['default']
            if not isinstance(data__default, str):
                raise Invalid
        if data_keys:
            raise Invalid
    return data
